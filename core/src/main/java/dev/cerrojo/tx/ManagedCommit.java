package dev.cerrojo.tx;

import dev.cerrojo.internal.SqlFailures;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** The COMMIT that a framework sends. */
record ManagedCommit(ManagedTransaction managed) implements Commit {
    /** Integrity, serialization and deadlock: PostgreSQL never ends a session by these. */
    private static final Set<String> AN_ANSWER = Set.of("23", "40001", "40P01");

    @Override
    public void send() throws SQLException {
        managed.commit();
    }

    @Override
    public boolean isRefused(Throwable failure) {
        List<String> states = SqlFailures.sqlStates(failure);
        return switch (managed.outcome()) {
            case ROLLED_BACK -> true;
            case COMMITTED -> false;
            case ANSWERED -> Commit.isAnswer(states);
            case UNKNOWN ->
                !states.isEmpty()
                        && states.stream().allMatch(state -> AN_ANSWER.stream().anyMatch(state::startsWith));
        };
    }

    @Override
    public boolean isDone() {
        return managed.outcome() == ManagedTransaction.Outcome.COMMITTED;
    }

    @Override
    public void close() {}
}

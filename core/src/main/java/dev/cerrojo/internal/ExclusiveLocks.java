package dev.cerrojo.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The locks under which triggers are dropped: ACCESS EXCLUSIVE on every table that has some.
 *
 * <p>Writers take the same tables in orders of their own. So that none of them is the victim of a deadlock, each try
 * waits less than PostgreSQL does before it looks for deadlocks, and gives back what it has got before the next.
 */
public final class ExclusiveLocks {
    private static final long LONGEST_TRY_MILLIS = 100;
    private static final Set<String> AGAIN = Set.of("55P03", "40P01");

    private final Connection connection;
    private final Duration limit;

    /** Locks of a transaction, for which it waits at most so long. */
    public ExclusiveLocks(Connection connection, Duration limit) {
        this.connection = connection;
        this.limit = limit;
    }

    /** Takes them, of tables as SQL text, until the transaction ends; the last failure is thrown when they were not free within the limit. */
    public void take(Set<String> tables) throws SQLException {
        if (!tables.isEmpty()) {
            take("LOCK TABLE " + String.join(", ", tables) + " IN ACCESS EXCLUSIVE MODE");
        }
    }

    private void take(String sql) throws SQLException {
        long deadline = System.nanoTime() + limit.toNanos();
        String oneTry = Math.max(1, Math.min(LONGEST_TRY_MILLIS, deadlockMillis() / 2)) + "ms";
        while (!taken(sql, oneTry, deadline)) {
            Thread.onSpinWait();
        }
    }

    private boolean taken(String sql, String oneTry, long deadline) throws SQLException {
        Savepoint before = connection.setSavepoint();
        try {
            Execution.set(connection, "lock_timeout", oneTry);
            Execution.run(connection, List.of(sql));
            Execution.set(connection, "lock_timeout", limit.toMillis() + "ms");
            return true;
        } catch (SQLException failure) {
            if (!AGAIN.contains(String.valueOf(failure.getSQLState())) || System.nanoTime() > deadline) {
                throw failure;
            }
            connection.rollback(before);
            return false;
        }
    }

    private long deadlockMillis() throws SQLException {
        return CatalogRow.all(connection, "SELECT setting FROM pg_settings WHERE name = 'deadlock_timeout'").stream()
                .map(row -> Long.parseLong(row.text("setting")))
                .findFirst()
                .orElse(LONGEST_TRY_MILLIS);
    }
}

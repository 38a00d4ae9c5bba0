package dev.cerrojo.tx;

import dev.cerrojo.internal.SqlFailures;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a transaction by what its connection was used for.
 *
 * <p>A statement that fails dooms a transaction, unless it is undone by a rollback to a savepoint, or the driver alone had failed.
 * After it PostgreSQL refuses every other one with 25P02, so that a statement that succeeds shows that the transaction is well,
 * and the first failure since then is what it is doomed by, if it is.
 */
final class Watch {
    private final Progress progress;
    private final Alarm alarm = new Alarm();
    private @Nullable SQLException failure;
    private boolean doubtful;
    private boolean used;
    private boolean ended;

    Watch(Progress progress) {
        this.progress = progress;
        alarm.set(progress);
    }

    Progress progress() {
        return progress;
    }

    /** {@return the first failure since the last success} */
    Optional<SQLException> failure() {
        return Optional.ofNullable(failure);
    }

    /**
     * {@return whether only PostgreSQL knows if the transaction is well}
     *
     * <p>Once a statement has failed it stays so: a statement of comments alone succeeds in a failed transaction, too.
     */
    boolean isDoubtful() {
        return doubtful;
    }

    /** {@return whether anything was done with the connection that may have begun the transaction} */
    boolean isUsed() {
        return used;
    }

    void failed(SQLException e) {
        used = true;
        doubtful = true;
        if (failure == null || (isAgain(e) && !isAgain(failure))) {
            failure = e;
        }
    }

    /** One that the driver alone had failed before is not what dooms the transaction. */
    private static boolean isAgain(SQLException e) {
        return SqlFailures.again(e).isPresent();
    }

    /** Called before a statement is sent: it is cancelled at the deadline. */
    void running(Statement statement) {
        alarm.watch(statement);
        progress.failIfOver();
    }

    void succeeded() {
        used = true;
        failure = null;
    }

    void unwrapped() {
        used = true;
        doubtful = true;
    }

    void end() {
        ended = true;
        alarm.close();
    }

    void failIfEnded() {
        if (ended) {
            throw new TransactionControlException(
                    "the transaction has ended, and its connection is given back: use it only within the work that it was given to");
        }
    }
}

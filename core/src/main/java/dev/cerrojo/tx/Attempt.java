package dev.cerrojo.tx;

import dev.cerrojo.internal.SqlFailures;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One attempt: a transaction of its own, which it ends in any case. */
final class Attempt {
    private static final String CANCELLED = "57014";
    private static final String IN_FAILED = "25P02";

    private final Ending ending;
    private final TransactionOptions options;
    private final Watch watch;
    private final OwnTransaction transaction;
    private final List<Throwable> failuresAfterCommit = new ArrayList<>();

    Attempt(Ending ending, TransactionOptions options, Progress progress) {
        this.ending = ending;
        this.options = options;
        this.watch = new Watch(progress);
        this.transaction = new OwnTransaction(new WatchedConnection(ending.connection(), watch), progress.attempts());
    }

    /** Does the work and commits it, or rolls it back. */
    <T extends @Nullable Object, X extends Exception> T run(TransactionWork<T, X> work) throws X, SQLException, Again {
        T result;
        Commit commit;
        try {
            begin();
            result = work.run(transaction);
            commit = readyToCommit();
        } catch (Throwable thrown) {
            askForDoom(thrown);
            undo(thrown);
            failOtherwise(thrown);
            throw thrown;
        }
        commit(commit);
        return result;
    }

    /** {@return what is to be done after the commit} */
    List<Runnable> actions() {
        return transaction.actions();
    }

    /** {@return what failed after the commit, before the actions} */
    List<Throwable> failuresAfterCommit() {
        return failuresAfterCommit;
    }

    private void begin() throws SQLException {
        ending.begin();
        List<String> modes = new ArrayList<>();
        options.isolation().ifPresent(level -> modes.add("ISOLATION LEVEL " + level.sql()));
        if (options.readOnly()) {
            modes.add("READ ONLY");
        }
        if (!modes.isEmpty()) {
            execute(transaction.connection(), "SET TRANSACTION " + String.join(", ", modes));
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Commit readyToCommit() throws SQLException {
        failIfRollbackOnly();
        ending.flush();
        if (watch.isDoubtful() || !ending.isKnownWell()) {
            failIfDoomed();
        }
        watch.progress().failIfOver();
        return ending.readyToCommit(watch);
    }

    private void failIfRollbackOnly() {
        transaction.rollbackReason().ifPresent(reason -> {
            throw new TransactionRolledBackException(reason, null);
        });
    }

    /** COMMIT would roll back without a word. Asked beside the watch, which must not forget what had failed. */
    private void failIfDoomed() {
        Optional<SQLException> first = watch.failure();
        try {
            execute(ending.asked(), "SHOW transaction_isolation");
        } catch (SQLException e) {
            throw new TransactionRolledBackException(
                    first.map(it -> "a statement had failed: " + it.getMessage())
                            .orElse("a statement had failed that was not seen, by an object that unwrap found"),
                    first.orElse(e));
        }
    }

    /** Others use the connection as well, so the watch may have missed what the work has hidden. The driver tells the cause. */
    private void askForDoom(Throwable thrown) {
        if (ending.isWatched()
                || thrown instanceof Error
                || SqlFailures.again(thrown).isPresent()) {
            return;
        }
        try {
            execute(ending.asked(), "SHOW transaction_isolation");
        } catch (SQLException e) {
            watch.failed(e);
        }
    }

    private void commit(Commit commit) throws SQLException, Again {
        try {
            commit.send();
        } catch (Throwable thrown) {
            if (commit.isDone()) {
                watch.end();
                failuresAfterCommit.add(thrown);
                return;
            }
            boolean isKnown = thrown instanceof Error || commit.isRefused(thrown);
            undo(thrown);
            if (!isKnown) {
                throw new OutcomeUnknownException(thrown);
            }
            failOtherwise(thrown);
            throw thrown;
        }
        giveBack(commit);
    }

    /** Throws what says more than what was thrown; and tells, when there is nothing, what the transaction was doomed by. */
    private void failOtherwise(Throwable thrown) throws SQLException, Again {
        if (thrown instanceof Error || isLastWord(thrown)) {
            return;
        }
        Throwable first = watch.failure().<Throwable>map(it -> it).orElse(thrown);
        Optional<String> again = SqlFailures.again(first).or(() -> SqlFailures.again(thrown));
        if (transaction.rollbackReason().isEmpty() && again.isPresent()) {
            throw new Again(again.orElseThrow(), joined(thrown, first));
        }
        if (watch.progress().isOver() && (isCancelled(first) || isCancelled(thrown))) {
            throw watch.progress().exceeded(joined(thrown, first));
        }
        if (isFollowUp(thrown) && first instanceof SQLException doom && doom != thrown) {
            throw (SQLException) joined(doom, thrown);
        }
        joined(thrown, first);
    }

    /** What PostgreSQL says to all that comes after the failure that counts. */
    private static boolean isFollowUp(Throwable thrown) {
        return thrown instanceof SQLException e && IN_FAILED.equals(e.getSQLState());
    }

    private static boolean isCancelled(Throwable thrown) {
        return SqlFailures.sqlStates(thrown).contains(CANCELLED);
    }

    /** Whatever happened besides: running the work again is what must not be done. */
    private static boolean isLastWord(Throwable thrown) {
        return SqlFailures.chain(thrown).stream()
                .anyMatch(it -> it instanceof OutcomeUnknownException
                        || it instanceof AfterCommitException
                        || it instanceof RetriesExhaustedException
                        || it instanceof DeadlineExceededException);
    }

    private static Throwable joined(Throwable thrown, Throwable first) {
        if (!SqlFailures.chain(thrown).contains(first)) {
            thrown.addSuppressed(first);
        }
        return thrown;
    }

    private void undo(Throwable reason) {
        try {
            watch.end();
            ending.rollBack();
        } catch (SQLException | RuntimeException e) {
            if (e != reason) {
                reason.addSuppressed(e);
            }
        }
    }

    /** After the commit nothing that fails here changes that. */
    private void giveBack(Commit commit) {
        try {
            watch.end();
            ending.giveBack(commit);
        } catch (SQLException | RuntimeException e) {
            System.getLogger(Transactions.class.getName())
                    .log(System.Logger.Level.DEBUG, "a connection broke after its transaction was committed", e);
        }
    }
}

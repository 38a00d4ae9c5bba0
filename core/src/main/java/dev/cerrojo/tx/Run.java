package dev.cerrojo.tx;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** All attempts at one piece of work. */
final class Run {
    private final DataSource dataSource;
    private final TransactionOptions options;
    private final Progress progress;
    private final Backoff backoff;

    Run(DataSource dataSource, TransactionOptions options) {
        this.dataSource = dataSource;
        this.options = options;
        this.progress = new Progress(options.deadline());
        this.backoff = new Backoff(options.backoffBase(), options.backoffCap());
    }

    <T extends @Nullable Object, X extends Exception> T call(TransactionWork<T, X> work) throws X {
        while (true) {
            try {
                return attempt(work);
            } catch (Again again) {
                progress.failed(again.failure());
                awaitNext(again);
            } catch (SQLException e) {
                throw new TransactionFailedException("the transaction failed: " + e.getMessage(), e);
            }
        }
    }

    private <T extends @Nullable Object, X extends Exception> T attempt(TransactionWork<T, X> work)
            throws X, SQLException, Again {
        progress.failIfOverBetween();
        progress.begin();
        Connection connection = connection();
        if (isOuter(connection)) {
            return joined(connection, work);
        }
        Attempt attempt = new Attempt(connection, options, progress);
        T result = attempt.run(work);
        runActions(attempt.actions(), result);
        return result;
    }

    private Connection connection() {
        try {
            return dataSource.getConnection();
        } catch (SQLException e) {
            throw new TransactionFailedException(
                    "no transaction began, for lack of a connection: " + e.getMessage(), e);
        }
    }

    private static boolean isOuter(Connection connection) throws SQLException {
        try {
            return Outer.isOpen(connection);
        } catch (SQLException | RuntimeException e) {
            close(connection, e);
            throw e;
        }
    }

    private static void close(Connection connection, Throwable reason) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            reason.addSuppressed(e);
        }
    }

    private <T extends @Nullable Object, X extends Exception> T joined(
            Connection connection, TransactionWork<T, X> work) throws X, SQLException {
        Watch watch = new Watch(progress);
        try (connection) {
            JoinedTransaction joined =
                    new JoinedTransaction(new WatchedConnection(connection, watch), Optional.empty());
            joined.failUnless(options);
            return work.run(joined);
        } finally {
            watch.end();
        }
    }

    private void awaitNext(Again again) {
        if (progress.attempts() >= options.maxAttempts()) {
            throw progress.exhausted(again.sqlState());
        }
        progress.failIfOverBetween();
        try {
            sleep(backoff.random(progress.attempts()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransactionInterruptedException(
                    "interrupted before attempt %d; nothing is committed".formatted(progress.attempts() + 1),
                    again.failure());
        }
    }

    private void sleep(Duration wanted) throws InterruptedException {
        Duration wait =
                progress.remaining().filter(left -> left.compareTo(wanted) < 0).orElse(wanted);
        Thread.sleep(wait.toMillis(), wait.toNanosPart() % 1_000_000);
    }

    private static void runActions(List<Runnable> actions, @Nullable Object result) {
        List<Throwable> failures = new ArrayList<>();
        for (Runnable action : actions) {
            try {
                action.run();
            } catch (Throwable e) { // an Error, too, must not look like one of the transaction's
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw new AfterCommitException(failures, actions.size(), result);
        }
    }
}

package dev.cerrojo.tx;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All attempts at one piece of work. */
final class Run {
    private final Origin origin;
    private final TransactionOptions options;
    private final Progress progress;
    private final Backoff backoff;

    Run(Origin origin, TransactionOptions options) {
        this.origin = origin;
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
        try (Origin.Begun begun = origin.begin(options, progress)) {
            return begun.joined().isPresent()
                    ? work.run(begun.joined().orElseThrow())
                    : committed(new Attempt(begun.ending().orElseThrow(), options, progress), work);
        }
    }

    private static <T extends @Nullable Object, X extends Exception> T committed(
            Attempt attempt, TransactionWork<T, X> work) throws X, SQLException, Again {
        T result = attempt.run(work);
        runActions(attempt, result);
        return result;
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

    private static void runActions(Attempt attempt, @Nullable Object result) {
        List<Throwable> failures = new ArrayList<>(attempt.failuresAfterCommit());
        int steps = failures.size() + attempt.actions().size();
        for (Runnable action : attempt.actions()) {
            try {
                action.run();
            } catch (Throwable e) { // an Error, too, must not look like one of the transaction's
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw new AfterCommitException(failures, steps, result);
        }
    }
}

package dev.cerrojo.tx;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How far a run is: its attempts, why they failed, and the time that is left, by the clock that only goes forward. */
final class Progress {
    private final long start = System.nanoTime();
    private final Optional<Duration> limit;
    private final long limitNanos;
    private final List<Throwable> failures = new ArrayList<>();
    private int attempts;

    Progress(Optional<Duration> limit) {
        this.limit = limit;
        this.limitNanos = limit.map(Progress::nanos).orElse(Long.MAX_VALUE);
    }

    private static long nanos(Duration duration) {
        return TimeUnit.NANOSECONDS.convert(duration);
    }

    /** {@return the number of the attempt that begins, from 1} */
    int begin() {
        return ++attempts;
    }

    int attempts() {
        return attempts;
    }

    /** Notes why the attempt is to be run again. */
    void failed(Throwable failure) {
        failures.add(failure);
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** {@return the time that is left, never negative; empty without a limit} */
    Optional<Duration> remaining() {
        return limit.map(most -> most.minus(elapsed())).map(left -> left.isNegative() ? Duration.ZERO : left);
    }

    /** Asked before each statement. */
    boolean isOver() {
        return System.nanoTime() - start >= limitNanos;
    }

    /** Within an attempt. */
    void failIfOver() {
        if (isOver()) {
            throw exceeded(null);
        }
    }

    /** Between two attempts: the earlier one failed, but the time has ended the run. */
    void failIfOverBetween() {
        if (isOver()) {
            int last = failures.size() - 1;
            throw last < 0 ? exceeded(null) : exceeded(failures.remove(last));
        }
    }

    /** {@return the exception for a run whose time is over, with what the last attempt failed with} */
    DeadlineExceededException exceeded(@Nullable Throwable last) {
        return withEarlier(new DeadlineExceededException(attempts, limit.orElse(Duration.ZERO), last), failures);
    }

    /** {@return the exception for a run that is not run again} */
    RetriesExhaustedException exhausted(String sqlState) {
        int last = failures.size() - 1;
        return withEarlier(
                new RetriesExhaustedException(attempts, elapsed(), sqlState, failures.get(last)),
                failures.subList(0, last));
    }

    private static <E extends Exception> E withEarlier(E exception, List<Throwable> earlier) {
        earlier.forEach(exception::addSuppressed);
        return exception;
    }
}

package dev.cerrojo.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Renews what is held for a time until it is stopped, and tells how it ended otherwise.
 *
 * <p>When it is time, the store is asked; and unless it has answered until then, it is asked again after a sixth of the time that is
 * left, and so on: faster and faster near the deadline, whether it failed or only does not answer. A store that says "not held" ends it;
 * one that cannot be reached does not. At the deadline it is over, whatever the store is doing.
 *
 * <p>Timers are set only when the first renewal comes near: most is given back before.
 */
public final class Heartbeat implements Lookout.Due {
    private static final int MOST_IN_FLIGHT = 3;
    private static final int RETRIES_LEFT = 6;
    private static final long LEAST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Renewal renewal;
    private final long renewEveryNanos;
    private final Workers workers;
    private final LocalDeadline held;
    private final Consumer<End> ended;
    private Future<?> nextBeat = CompletableFuture.completedFuture(null);
    private Future<?> deadline = CompletableFuture.completedFuture(null);
    private long firstBeat;
    private int inFlight;
    private boolean stopped;

    /** Asks a store to have something held for longer. */
    public interface Renewal {
        /**
         * {@return for how long it is held from when it was asked; empty when it is not held any more}
         *
         * <p>Throws when the store cannot be reached, which does not mean that it is lost.
         */
        Optional<Duration> renew();
    }

    /** How it ended without being stopped. */
    public enum End {
        /** Its time is over. */
        EXPIRED,
        /** The store says that it is not held. */
        GONE
    }

    /**
     * Makes one that does not beat yet.
     *
     * @param renewEvery how often the store is asked while it answers
     * @param held until when it is held; is extended
     * @param ended is told once, by a thread of the workers
     */
    public Heartbeat(Renewal renewal, Duration renewEvery, Workers workers, LocalDeadline held, Consumer<End> ended) {
        this.renewal = renewal;
        this.renewEveryNanos = renewEvery.toNanos();
        this.workers = workers;
        this.held = held;
        this.ended = ended;
    }

    /** Begins. What was granted long before its answer came is renewed before its time is over, too. */
    public void start() {
        firstBeat = System.nanoTime() + Math.max(0, Math.min(renewEveryNanos, held.left() / 2));
        if (isDue(System.nanoTime())) {
            ring();
        } else {
            workers.lookout().add(this);
        }
    }

    @Override
    public boolean isDue(long now) {
        return firstBeat - now <= Workers.AHEAD_NANOS;
    }

    @Override
    public void ring() {
        next(firstBeat - System.nanoTime());
        watchDeadline();
    }

    /** Ends it; nobody is told. */
    public synchronized void stop() {
        stopped = true;
        workers.lookout().remove(this);
        nextBeat.cancel(false);
        deadline.cancel(false);
    }

    private synchronized boolean isStopped() {
        return stopped;
    }

    private synchronized void next(long nanos) {
        nextBeat.cancel(false);
        if (!stopped) {
            nextBeat = workers.after(Math.max(nanos, 0), this::beat);
        }
    }

    private void watchDeadline() {
        if (held.left() <= 0) {
            end(End.EXPIRED);
        } else {
            watchDeadlineAgain();
        }
    }

    private synchronized void watchDeadlineAgain() {
        if (!stopped) {
            deadline = workers.after(held.left(), this::watchDeadline);
        }
    }

    private void beat() {
        if (mayAsk()) {
            workers.store().execute(this::renew);
        }
        next(Math.max(held.left() / RETRIES_LEFT, LEAST_DELAY_NANOS));
    }

    private synchronized boolean mayAsk() {
        boolean may = !stopped && inFlight < MOST_IN_FLIGHT;
        inFlight += may ? 1 : 0;
        return may;
    }

    private void renew() {
        long sent = System.nanoTime();
        try {
            if (!isStopped()) {
                answered(sent, renewal.renew());
            }
        } catch (RuntimeException unreachable) {
            System.getLogger(Heartbeat.class.getName())
                    .log(System.Logger.Level.DEBUG, "could not be renewed, which is tried again", unreachable);
        } finally {
            landed();
        }
    }

    private synchronized void landed() {
        inFlight--;
    }

    private void answered(long sent, Optional<Duration> validFor) {
        if (validFor.isEmpty()) {
            end(End.GONE);
            return;
        }
        held.extend(sent, validFor.orElseThrow());
        next(sent + renewEveryNanos - System.nanoTime());
    }

    private void end(End reason) {
        if (!isStopped()) {
            stop();
            ended.accept(reason);
        }
    }
}

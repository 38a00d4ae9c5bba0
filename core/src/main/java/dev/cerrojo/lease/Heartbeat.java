package dev.cerrojo.lease;

import dev.cerrojo.internal.Lookout;
import dev.cerrojo.lease.LeaseLostException.Reason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Renews one holding until it is stopped, and tells how it ended otherwise.
 *
 * <p>When it is time, the store is asked; and unless it has answered until then, it is asked again after a sixth of the time that is
 * left, and so on: faster and faster near the deadline, whether it failed or only does not answer. A store that says "not held" ends it;
 * one that cannot be reached does not. At the deadline it is over, whatever the store is doing.
 *
 * <p>Timers are set only when the first renewal comes near: most leases are released before.
 */
final class Heartbeat implements Lookout.Due {
    private static final int MOST_IN_FLIGHT = 3;
    private static final int RETRIES_LEFT = 6;
    private static final long LEAST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final LeaseStore store;
    private final LeaseSettings settings;
    private final Workers workers;
    private final Holding holding;
    private final Consumer<Reason> ended;
    private Future<?> nextBeat = CompletableFuture.completedFuture(null);
    private Future<?> deadline = CompletableFuture.completedFuture(null);
    private long firstBeat;
    private int inFlight;
    private boolean stopped;

    Heartbeat(LeaseStore store, LeaseSettings settings, Workers workers, Holding holding, Consumer<Reason> ended) {
        this.store = store;
        this.settings = settings;
        this.workers = workers;
        this.holding = holding;
        this.ended = ended;
    }

    void start() {
        firstBeat = System.nanoTime() + settings.renewEvery().toNanos();
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

    synchronized void stop() {
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
        if (holding.left() <= 0) {
            end(Reason.EXPIRED);
        } else {
            watchDeadlineAgain();
        }
    }

    private synchronized void watchDeadlineAgain() {
        if (!stopped) {
            deadline = workers.after(holding.left(), this::watchDeadline);
        }
    }

    private void beat() {
        if (mayAsk()) {
            workers.store().execute(this::renew);
        }
        next(Math.max(holding.left() / RETRIES_LEFT, LEAST_DELAY_NANOS));
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
                answered(sent, store.renew(holding.claim(), settings.leaseDuration()));
            }
        } catch (RuntimeException unreachable) {
            System.getLogger(Leases.class.getName())
                    .log(System.Logger.Level.DEBUG, "a lease could not be renewed, which is tried again", unreachable);
        } finally {
            landed();
        }
    }

    private synchronized void landed() {
        inFlight--;
    }

    private void answered(long sent, Optional<Duration> validFor) {
        if (validFor.isEmpty()) {
            end(Reason.GONE);
            return;
        }
        holding.extend(Holding.deadline(sent, validFor.orElseThrow()));
        next(sent + settings.renewEvery().toNanos() - System.nanoTime());
    }

    private void end(Reason reason) {
        if (!isStopped()) {
            stop();
            ended.accept(reason);
        }
    }
}

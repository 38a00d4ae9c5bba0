package dev.cerrojo.lease;

import dev.cerrojo.internal.Heartbeat;
import dev.cerrojo.internal.Interval;
import dev.cerrojo.internal.LocalDeadline;
import dev.cerrojo.internal.Workers;
import dev.cerrojo.lease.LeaseLostException.Reason;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** What the leases of one {@link Leases} have in common: the store, the fences, the threads, and which of them are held. */
final class Holder implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Leases.class.getName());
    private static final Duration BEFORE_NEXT_RELEASE = Duration.ofMillis(250);
    private static final Duration BETWEEN_PURGES = Duration.ofMinutes(10);

    /** How long who finds a fence locked waits before another attempt: nobody tells when that transaction ends. */
    private static final Duration FENCE_BUSY = Duration.ofMillis(20);

    private final LeaseStore store;
    private final LeaseSettings settings;
    private final Fencing fencing;
    private final Workers workers;
    private final Set<HeldLease> held = ConcurrentHashMap.newKeySet();
    private final Interval betweenPurges = new Interval(BETWEEN_PURGES);
    private volatile boolean hasAcquired;
    private volatile boolean isClosed;

    Holder(LeaseStore store, LeaseSettings settings, Fencing fencing) {
        this.store = store;
        this.settings = settings;
        this.fencing = fencing;
        this.workers = new Workers(settings.threads());
    }

    LeaseStore store() {
        return store;
    }

    LeaseSettings settings() {
        return settings;
    }

    Fences fences() {
        return fencing.fences()
                .orElseThrow(
                        () -> new IllegalStateException(
                                "the leases of this store are not fenced: give Leases.over the Fences of the database that the transaction is of"));
    }

    Heartbeat heartbeat(Holding holding, Consumer<Reason> ended) {
        return new Heartbeat(
                () -> store.renew(holding.claim(), settings.leaseDuration()),
                settings.renewEvery(),
                workers,
                holding.held(),
                end -> ended.accept(Reason.of(end)));
    }

    /** Has something done by a thread of its own, which user code may keep. */
    void thread(Runnable task) {
        settings.threads().newThread(task).start();
    }

    void failIfClosed() {
        if (isClosed) {
            throw new IllegalStateException("these leases are closed: acquire before close(), or make others");
        }
    }

    HeldLease newLease(List<LeaseScope> scopes) {
        HeldLease lease = new HeldLease(this, scopes);
        held.add(lease);
        return lease;
    }

    /** Asks the store once, and raises the fence; takes nothing when one of them refuses. */
    Granting ask(LeaseClaim claim) {
        long sent = System.nanoTime();
        LeaseAttempt attempt = store.tryAcquire(claim, settings.leaseDuration());
        if (attempt instanceof LeaseAttempt.Granted granted) {
            return fenced(claim, granted, LocalDeadline.of(sent, granted.validFor()));
        }
        return new Granting(Optional.empty(), ((LeaseAttempt.Refused) attempt).heldFor());
    }

    private Granting fenced(LeaseClaim claim, LeaseAttempt.Granted granted, LocalDeadline held) {
        OptionalLong token = fencing.token(claim, granted.token());
        Holding holding = new Holding(claim, token.orElse(granted.token()), held);
        if (token.isEmpty() || holding.left() <= 0) {
            giveBack(claim);
            return new Granting(Optional.empty(), FENCE_BUSY);
        }
        purgeSometimes();
        return new Granting(Optional.of(holding), Duration.ZERO);
    }

    void lost(HeldLease lease, LeaseLostException loss) {
        held.remove(lease);
        LOG.log(System.Logger.Level.WARNING, loss.getMessage());
    }

    /** Releases at the store: at once, or in the background when it has been of no use lately. */
    void giveBack(HeldLease lease, Collection<Holding> holdings, boolean atOnce) {
        held.remove(lease);
        for (Holding holding : holdings) {
            if (atOnce) {
                giveBack(holding.claim());
            } else {
                giveBackLater(holding.claim(), settings.leaseDuration());
            }
            if (fencing.leavesRows()) {
                workers.store().execute(() -> forget(holding));
            }
        }
    }

    private void giveBack(LeaseClaim claim) {
        if (!tryGiveBack(claim)) {
            giveBackLater(claim, settings.leaseDuration());
        }
    }

    private boolean tryGiveBack(LeaseClaim claim) {
        try {
            boolean unused = store.release(claim);
            return true;
        } catch (RuntimeException unreachable) {
            LOG.log(System.Logger.Level.DEBUG, "a lease could not be released, which is tried again", unreachable);
            return false;
        }
    }

    /** Again and again until it ends by itself. */
    void giveBackLater(LeaseClaim claim, Duration during) {
        workers.store().execute(() -> {
            if (!tryGiveBack(claim) && during.compareTo(BEFORE_NEXT_RELEASE) > 0) {
                Future<?> unused = workers.after(
                        BEFORE_NEXT_RELEASE.toNanos(), () -> giveBackLater(claim, during.minus(BEFORE_NEXT_RELEASE)));
            }
        });
    }

    private void forget(Holding holding) {
        try {
            fencing.drop(holding);
        } catch (RuntimeException unreachable) {
            LOG.log(System.Logger.Level.DEBUG, "a fence could not be dropped; it is purged some day", unreachable);
        }
    }

    /** By whoever acquires, so that nobody needs to be asked to; and once more at the end, for processes that live less long. */
    private void purgeSometimes() {
        hasAcquired = true;
        if (betweenPurges.isOver()) {
            workers.store().execute(this::purge);
        }
    }

    private void purge() {
        try {
            int removed = store.purge() + fencing.purge();
            LOG.log(System.Logger.Level.DEBUG, "{0} entries of leases that are over were purged", removed);
        } catch (RuntimeException unreachable) {
            LOG.log(System.Logger.Level.DEBUG, "leases could not be purged, which is tried again", unreachable);
        }
    }

    @Override
    public void close() {
        isClosed = true;
        held.forEach(HeldLease::release);
        if (hasAcquired) {
            purge();
        }
        workers.close();
        store.close();
    }
}

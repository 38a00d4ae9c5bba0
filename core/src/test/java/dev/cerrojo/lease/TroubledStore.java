package dev.cerrojo.lease;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A real store, behind a network that can be made to fail, or to hang. */
final class TroubledStore implements LeaseStore {
    /** What becomes of a call. */
    enum Trouble {
        NONE,
        UNREACHABLE,
        HANGS,
        /** The call is done, but nobody is told. */
        ANSWER_IS_LOST
    }

    private final LeaseStore store;
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger renewals = new AtomicInteger();
    volatile Trouble onAcquire = Trouble.NONE;
    volatile Trouble onRenew = Trouble.NONE;
    volatile Trouble onRelease = Trouble.NONE;

    TroubledStore(LeaseStore store) {
        this.store = store;
    }

    int renewals() {
        return renewals.get();
    }

    private interface Call<T> {
        T make();
    }

    private <T> T call(Trouble trouble, Call<T> call) {
        if (trouble == Trouble.HANGS) {
            hang();
        }
        if (trouble == Trouble.UNREACHABLE) {
            throw new LeaseStoreException("unreachable", new IllegalStateException("cable"));
        }
        T result = call.make();
        if (trouble == Trouble.ANSWER_IS_LOST) {
            throw new LeaseStoreException("no answer", new IllegalStateException("cable"));
        }
        return result;
    }

    private void hang() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new LeaseStoreException("hung", new IllegalStateException("cable"));
    }

    @Override
    public LeaseAttempt tryAcquire(LeaseClaim claim, Duration leaseDuration) {
        return call(onAcquire, () -> store.tryAcquire(claim, leaseDuration));
    }

    @Override
    public Optional<Duration> renew(LeaseClaim claim, Duration leaseDuration) {
        renewals.incrementAndGet();
        return call(onRenew, () -> store.renew(claim, leaseDuration));
    }

    @Override
    public boolean release(LeaseClaim claim) {
        return call(onRelease, () -> store.release(claim));
    }

    @Override
    public ReleaseWatch watch(String entity, Duration upTo, Runnable hint) {
        return store.watch(entity, upTo, hint);
    }

    @Override
    public void close() {
        end.countDown();
        store.close();
    }
}

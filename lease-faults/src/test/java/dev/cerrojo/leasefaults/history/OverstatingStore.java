package dev.cerrojo.leasefaults.history;

import dev.cerrojo.lease.LeaseAttempt;
import dev.cerrojo.lease.LeaseClaim;
import dev.cerrojo.lease.LeaseStore;
import java.time.Duration;
import java.util.Optional;

/**
 * Has a store grant leases for a short time, and says that it was as long as was asked for.
 *
 * @param store the store
 * @param lease the short time
 */
record OverstatingStore(LeaseStore store, Duration lease) implements LeaseStore {
    @Override
    public LeaseAttempt tryAcquire(LeaseClaim claim, Duration leaseDuration) {
        return store.tryAcquire(claim, lease) instanceof LeaseAttempt.Granted granted
                ? new LeaseAttempt.Granted(granted.token(), leaseDuration)
                : new LeaseAttempt.Refused(Duration.ZERO);
    }

    @Override
    public Optional<Duration> renew(LeaseClaim claim, Duration leaseDuration) {
        return store.renew(claim, lease).map(any -> leaseDuration);
    }

    @Override
    public boolean release(LeaseClaim claim) {
        return store.release(claim);
    }

    @Override
    public void close() {
        store.close();
    }
}

package dev.cerrojo.leasecontract;

import dev.cerrojo.lease.LeaseAttempt;
import dev.cerrojo.lease.LeaseClaim;
import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.lease.ReleaseWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Leases in the memory of this process: for tests of what uses leases. Its clock is that of the process, which only goes forward. */
public final class InMemoryLeaseStore implements LeaseStore {
    private final Map<LeaseClaim, Long> ends = new HashMap<>();
    private final Map<String, List<Runnable>> hints = new HashMap<>();
    private long lastToken;

    /** A store in which nothing is held. */
    public InMemoryLeaseStore() {}

    @Override
    public synchronized LeaseAttempt tryAcquire(LeaseClaim claim, Duration leaseDuration) {
        long now = System.nanoTime();
        ends.values().removeIf(end -> end - now <= 0);
        Optional<Long> heldUntil = ends.entrySet().stream()
                .filter(other -> !other.getKey().owner().equals(claim.owner())
                        && other.getKey().excludes(claim))
                .map(Map.Entry::getValue)
                .max(Long::compare);
        if (heldUntil.isPresent()) {
            return new LeaseAttempt.Refused(Duration.ofNanos(heldUntil.orElseThrow() - now));
        }
        ends.put(claim, now + leaseDuration.toNanos());
        return new LeaseAttempt.Granted(++lastToken, leaseDuration);
    }

    @Override
    public synchronized Optional<Duration> renew(LeaseClaim claim, Duration leaseDuration) {
        long now = System.nanoTime();
        Long end =
                ends.computeIfPresent(claim, (held, until) -> until - now <= 0 ? null : now + leaseDuration.toNanos());
        return end == null ? Optional.empty() : Optional.of(leaseDuration);
    }

    @Override
    public boolean release(LeaseClaim claim) {
        boolean wasHeld;
        List<Runnable> told;
        synchronized (this) {
            Long end = ends.remove(claim);
            wasHeld = end != null && end - System.nanoTime() > 0;
            told = List.copyOf(hints.getOrDefault(claim.entity(), List.of()));
        }
        told.forEach(Runnable::run);
        return wasHeld;
    }

    @Override
    public synchronized ReleaseWatch watch(String entity, Duration upTo, Runnable hint) {
        hints.computeIfAbsent(entity, any -> new ArrayList<>()).add(hint);
        return () -> unwatch(entity, hint);
    }

    private synchronized void unwatch(String entity, Runnable hint) {
        Collection<Runnable> those = hints.getOrDefault(entity, new ArrayList<>());
        those.remove(hint);
    }

    /** Loses its memory, tokens included, as a store without persistence does when it is started again. */
    public synchronized void forget() {
        ends.clear();
        lastToken = 0;
    }

    @Override
    public void close() {}
}

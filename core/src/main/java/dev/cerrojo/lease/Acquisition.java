package dev.cerrojo.lease;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition: of the entities one after another, sorted by name, all of them or none, until its time is over.
 *
 * <p>An owner is never used again once it has been refused, so that what is given back late gives back nothing else. It is used again
 * after a failure, when nobody knows whether it was granted.
 */
final class Acquisition {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int OWNER_BYTES = 16;
    private static final long LEAST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Holder holder;
    private final List<LeaseScope> scopes;
    private final long start = System.nanoTime();
    private final long waitNanos;
    private final Semaphore hints = new Semaphore(0);
    private @Nullable LeaseStoreException failure;
    private String refusedEntity = "";

    Acquisition(Holder holder, List<LeaseScope> scopes, Duration waitUpTo) {
        this.holder = holder;
        this.scopes = scopes;
        this.waitNanos = waitUpTo.toNanos();
    }

    /**
     * {@return the lease; empty when it was not to be had in time}
     *
     * @throws LeaseStoreException when that was because the store could not be reached
     */
    Optional<HeldLease> run() throws InterruptedException {
        Optional<HeldLease> lease;
        do {
            lease = once();
        } while (lease.isEmpty() && left() > 0);
        if (lease.isEmpty() && failure != null) {
            throw failure;
        }
        return lease;
    }

    /** {@return the entity that somebody else had} */
    String refusedEntity() {
        return refusedEntity;
    }

    Duration waited() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private long left() {
        return waitNanos - (System.nanoTime() - start);
    }

    /** What was taken first may be lost while the rest is waited for. */
    private Optional<HeldLease> once() throws InterruptedException {
        HeldLease lease = holder.newLease(scopes);
        boolean isComplete = false;
        try {
            boolean isTaken = takeAll(lease);
            holder.failIfClosed();
            isComplete = isTaken && lease.isHeld();
        } finally {
            if (!isComplete) {
                lease.release();
            }
        }
        return isComplete ? Optional.of(lease) : Optional.empty();
    }

    private boolean takeAll(HeldLease lease) throws InterruptedException {
        for (Map.Entry<String, List<String>> entity : groupsByEntity().entrySet()) {
            Optional<Holding> holding = take(entity.getKey(), entity.getValue());
            holding.ifPresent(lease::add);
            if (holding.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** The whole entity takes in its groups. */
    private Map<String, List<String>> groupsByEntity() {
        if (scopes.size() == 1) {
            return Map.of(
                    scopes.get(0).entity(), scopes.get(0).group().map(List::of).orElse(List.of()));
        }
        Map<String, List<String>> groups = new TreeMap<>();
        for (LeaseScope scope : scopes) {
            groups.computeIfAbsent(scope.entity(), any -> new ArrayList<>())
                    .addAll(scope.group().stream().toList());
        }
        scopes.stream()
                .filter(scope -> scope.group().isEmpty())
                .forEach(whole -> groups.put(whole.entity(), List.of()));
        return groups;
    }

    private Optional<Holding> take(String entity, List<String> groups) throws InterruptedException {
        refusedEntity = entity;
        OneEntity one = new OneEntity(entity, groups);
        try {
            Optional<Holding> first = one.ask();
            return first.isPresent() || left() <= 0 ? first : one.await();
        } finally {
            one.giveUp();
        }
    }

    private static String newOwner() {
        byte[] owner = new byte[OWNER_BYTES];
        RANDOM.nextBytes(owner);
        return HexFormat.of().formatHex(owner);
    }

    /** Asks for one entity. */
    private final class OneEntity {
        private LeaseClaim claim;
        private boolean isDoubtful;
        private Duration retryIn = Duration.ZERO;

        OneEntity(String entity, List<String> groups) {
            this.claim = new LeaseClaim(entity, groups, newOwner());
        }

        /** A failure is most often that of one connection, so another try is made at once, which also learns of a lost answer. */
        Optional<Holding> ask() {
            holder.failIfClosed();
            hints.drainPermits();
            Optional<Holding> holding = askOnce();
            return failure == null ? holding : askOnce();
        }

        private Optional<Holding> askOnce() {
            try {
                return answered(holder.ask(claim));
            } catch (LeaseStoreException unreachable) {
                isDoubtful = true;
                failure = unreachable;
                retryIn = holder.settings().pollEvery();
                return Optional.empty();
            }
        }

        private Optional<Holding> answered(Granting granting) {
            isDoubtful = false;
            failure = null;
            retryIn = granting.retryIn();
            if (granting.holding().isEmpty()) {
                claim = new LeaseClaim(claim.entity(), claim.groups(), newOwner());
            }
            return granting.holding();
        }

        /** Who watches before asking misses no release. */
        Optional<Holding> await() throws InterruptedException {
            try (ReleaseWatch watch = watch()) {
                Optional<Holding> holding = ask();
                while (holding.isEmpty() && left() > 0) {
                    boolean unused = hints.tryAcquire(waitNanosNow(), TimeUnit.NANOSECONDS);
                    holding = ask();
                }
                return holding;
            }
        }

        private ReleaseWatch watch() {
            try {
                return holder.store().watch(claim.entity(), Duration.ofNanos(left()), hints::release);
            } catch (LeaseStoreException unreachable) {
                return ReleaseWatch.NONE;
            }
        }

        /** Not later than it may be free; and those who wait do not all ask at once. */
        private long waitNanosNow() {
            long poll = holder.settings().pollEvery().toNanos();
            long jittered = poll / 2 + ThreadLocalRandom.current().nextLong(poll / 2 + 1);
            return Math.min(left(), Math.min(jittered, retryIn.toNanos() + LEAST_WAIT_NANOS));
        }

        /** It may have been granted, though nobody was told. */
        void giveUp() {
            if (isDoubtful) {
                holder.giveBackLater(claim, holder.settings().leaseDuration());
            }
        }
    }

    /** {@return the scopes sorted, each once} */
    static List<LeaseScope> sorted(Collection<LeaseScope> scopes) {
        if (scopes.isEmpty()) {
            throw new IllegalArgumentException("a lease must be of one scope or more, but none was given");
        }
        return scopes.size() == 1
                ? List.copyOf(scopes)
                : scopes.stream().distinct().sorted(LeaseScope.ORDER).toList();
    }
}

package dev.cerrojo.leasecontract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.lease.Lease;
import dev.cerrojo.lease.LeaseAttempt;
import dev.cerrojo.lease.LeaseAttempt.Granted;
import dev.cerrojo.lease.LeaseAttempt.Refused;
import dev.cerrojo.lease.LeaseClaim;
import dev.cerrojo.lease.LeaseNotAcquiredException;
import dev.cerrojo.lease.LeaseScope;
import dev.cerrojo.lease.LeaseSettings;
import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.lease.Leases;
import dev.cerrojo.lease.ReleaseWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a store must do. A test class extends it and opens its store:
 *
 * <pre>{@code
 * class MyLeaseStoreTest extends LeaseStoreContract {
 *     @Override
 *     protected LeaseStore open() {
 *         return new MyLeaseStore(server);
 *     }
 * }
 * }</pre>
 *
 * <p>Each test uses entities of names of its own, so that all of them may use one server that is never emptied.
 */
@SuppressWarnings("resource") // all stores are closed after the test
public abstract class LeaseStoreContract {
    /** So long that nothing is over within a test. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private static final int RIVALS = 6;
    private static final int MODEL_STEPS = 400;
    private static final List<List<String>> MODEL_GROUPS =
            List.of(List.of(), List.of("seo"), List.of("body"), List.of("body", "seo"), List.of("price"));

    private final Random random = new Random();
    private final List<LeaseStore> opened = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private String entity = "";

    /** Opens a client of the store; several are open at once, of the same server. */
    protected abstract LeaseStore open();

    /** {@return a lease duration that the store can keep and a test can wait for} */
    protected Duration brief() {
        return Duration.ofMillis(300);
    }

    /** {@return how long a test waits for what must come, on a slow machine} */
    protected Duration patience() {
        return Duration.ofSeconds(20);
    }

    /** Makes names that no other test has used. */
    @BeforeEach
    void newEntity() {
        entity = "contract/" + owner();
    }

    /** Closes what was opened. */
    @AfterEach
    void closeStores() {
        opened.forEach(LeaseStore::close);
        threads.shutdownNow();
    }

    private LeaseStore store() {
        LeaseStore store = open();
        opened.add(store);
        return store;
    }

    private String owner() {
        byte[] owner = new byte[16];
        random.nextBytes(owner);
        return HexFormat.of().formatHex(owner);
    }

    private LeaseClaim claim(String... groups) {
        return new LeaseClaim(entity, List.of(groups), owner());
    }

    private static Granted granted(LeaseAttempt attempt) {
        assertThat(attempt).isInstanceOf(Granted.class);
        return (Granted) attempt;
    }

    private static boolean isGranted(LeaseAttempt attempt) {
        return attempt instanceof Granted;
    }

    private <T> T await(Callable<T> state, Predicate<T> reached) {
        long deadline = System.nanoTime() + patience().toNanos();
        while (true) {
            try {
                T now = state.call();
                if (reached.test(now)) {
                    return now;
                }
                assertThat(System.nanoTime())
                        .as("deadline; the last state was " + now)
                        .isLessThan(deadline);
                Thread.sleep(5);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    // One at a time

    @Test
    void anEntityIsHeldByOneAtATime() {
        LeaseStore store = store();
        Granted first = granted(store.tryAcquire(claim(), LONG));

        LeaseAttempt second = store().tryAcquire(claim(), LONG);

        assertThat(first.validFor()).isGreaterThanOrEqualTo(LONG);
        assertThat(second).isInstanceOf(Refused.class);
        assertThat(((Refused) second).heldFor()).isBetween(LONG.dividedBy(2), LONG.plusMinutes(1));
    }

    @Test
    void ofARefusedClaimNothingIsHeld() {
        LeaseStore store = store();
        LeaseClaim seo = claim("seo");
        LeaseClaim both = claim("body", "seo");
        granted(store.tryAcquire(seo, LONG));

        assertThat(isGranted(store.tryAcquire(both, LONG))).isFalse();

        assertThat(store.renew(both, LONG)).isEmpty();
        assertThat(store.release(both)).isFalse();
        granted(store.tryAcquire(claim("body"), LONG));
    }

    @Test
    void differentEntitiesHaveNothingToDoWithEachOther() {
        LeaseStore store = store();
        granted(store.tryAcquire(claim(), LONG));
        entity = entity + "/other";
        granted(store.tryAcquire(claim(), LONG));
    }

    @Test
    void aGroupIsHeldByOneAndDifferentGroupsByMany() {
        LeaseStore store = store();
        granted(store.tryAcquire(claim("seo"), LONG));
        granted(store.tryAcquire(claim("body", "price"), LONG));

        assertThat(isGranted(store.tryAcquire(claim("seo"), LONG))).isFalse();
        assertThat(isGranted(store.tryAcquire(claim("price"), LONG))).isFalse();
        assertThat(isGranted(store.tryAcquire(claim("price", "tags"), LONG))).isFalse();
        granted(store.tryAcquire(claim("tags"), LONG));
    }

    @Test
    void theWholeEntityExcludesItsGroupsAndTheyIt() {
        LeaseStore store = store();
        LeaseClaim group = claim("seo");
        LeaseClaim whole = claim();
        granted(store.tryAcquire(group, LONG));
        assertThat(isGranted(store.tryAcquire(whole, LONG))).isFalse();

        store.release(group);
        granted(store.tryAcquire(whole, LONG));
        assertThat(isGranted(store.tryAcquire(claim("seo"), LONG))).isFalse();
        assertThat(isGranted(store.tryAcquire(claim("body"), LONG))).isFalse();

        store.release(whole);
        granted(store.tryAcquire(claim("body"), LONG));
    }

    @Test
    void namesAreTakenAsTheyAre() {
        LeaseStore store = store();
        String base = entity;
        for (String suffix : List.of(
                "", " ", "a b", "a\"b", "a'b", "{x}", "a,b", "a\\b", "%", "ä€😀", "*", "a:b", "[ab]", "A", "a")) {
            entity = base + suffix;
            granted(store.tryAcquire(claim("g"), LONG));
            granted(store.tryAcquire(claim("G", "g ", "{g}", "g,g", "\"g\"", "ĝ", "null", "*"), LONG));
            assertThat(isGranted(store.tryAcquire(claim("g,g"), LONG)))
                    .as(entity)
                    .isFalse();
        }
    }

    @Test
    void theLongestNamesAreTaken() {
        LeaseStore store = store();
        entity = (entity + "€".repeat(500)).substring(0, 500);
        LeaseClaim claim = claim("ü".repeat(100), "u".repeat(100));
        granted(store.tryAcquire(claim, LONG));

        assertThat(isGranted(store.tryAcquire(claim(), LONG))).isFalse();
        assertThat(store.release(claim)).isTrue();
    }

    // Release and renewal

    @Test
    void aReleasedClaimIsFreeAtOnce() {
        LeaseStore store = store();
        LeaseClaim claim = claim();
        granted(store.tryAcquire(claim, LONG));

        assertThat(store.release(claim)).isTrue();

        granted(store().tryAcquire(claim(), LONG));
        assertThat(store.release(claim)).isFalse();
    }

    @Test
    void nobodyReleasesWhatAnotherHolds() {
        LeaseStore store = store();
        LeaseClaim holder = claim();
        granted(store.tryAcquire(holder, LONG));

        assertThat(store.release(claim())).isFalse();

        assertThat(store.renew(holder, LONG)).isPresent();
        assertThat(isGranted(store.tryAcquire(claim(), LONG))).isFalse();
    }

    @Test
    void whoHasLostItDoesNotReleaseTheNextHoldersClaim() {
        LeaseStore store = store();
        LeaseClaim late = claim();
        LeaseClaim next = claim();
        granted(store.tryAcquire(late, brief()));
        await(() -> store.tryAcquire(next, LONG), LeaseStoreContract::isGranted);

        assertThat(store.release(late)).isFalse();

        assertThat(isGranted(store.tryAcquire(claim(), LONG))).isFalse();
        assertThat(store.renew(next, LONG)).isPresent();
    }

    @Test
    void releasingGroupsLeavesTheOthersHeld() {
        LeaseStore store = store();
        LeaseClaim seo = claim("seo");
        LeaseClaim body = claim("body");
        granted(store.tryAcquire(seo, LONG));
        granted(store.tryAcquire(body, LONG));

        assertThat(store.release(seo)).isTrue();

        assertThat(store.renew(body, LONG)).isPresent();
        assertThat(isGranted(store.tryAcquire(claim(), LONG))).isFalse();
        granted(store.tryAcquire(claim("seo"), LONG));
    }

    @Test
    void aClaimThatIsNotRenewedEnds() {
        LeaseStore store = store();
        long start = System.nanoTime();
        granted(store.tryAcquire(claim(), brief()));

        await(() -> store.tryAcquire(claim(), LONG), LeaseStoreContract::isGranted);

        // Who holds it measures its time from before the request, so it must not end earlier than that.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(brief().minusMillis(2));
    }

    @Test
    void aRenewedClaimGoesOn() {
        LeaseStore store = store();
        LeaseClaim claim = claim("seo", "body");
        granted(store.tryAcquire(claim, brief()));
        long end = System.nanoTime() + brief().multipliedBy(3).toNanos();

        while (System.nanoTime() < end) {
            assertThat(store.renew(claim, brief().multipliedBy(2)))
                    .hasValueSatisfying(
                            validFor -> assertThat(validFor).isGreaterThanOrEqualTo(brief().multipliedBy(2)));
            assertThat(isGranted(store.tryAcquire(claim("body"), LONG))).isFalse();
        }

        await(() -> store.tryAcquire(claim(), LONG), LeaseStoreContract::isGranted);
        assertThat(store.renew(claim, LONG)).isEmpty();
    }

    @Test
    void nobodyRenewsWhatAnotherHolds() {
        LeaseStore store = store();
        LeaseClaim holder = claim();
        granted(store.tryAcquire(holder, LONG));

        assertThat(store.renew(claim(), LONG)).isEmpty();

        assertThat(store.renew(holder, LONG)).isPresent();
    }

    @Test
    void renewingTakesNothing() {
        LeaseStore store = store();
        LeaseClaim never = claim();
        LeaseClaim released = claim();
        assertThat(store.renew(never, LONG)).isEmpty();
        granted(store.tryAcquire(released, LONG));
        store.release(released);

        assertThat(store.renew(released, LONG)).isEmpty();

        granted(store.tryAcquire(claim(), LONG));
    }

    @Test
    void renewingAClaimThatHasEndedTakesNothing() {
        LeaseStore store = store();
        LeaseClaim late = claim();
        granted(store.tryAcquire(late, brief()));
        // What is seen to be over must be over for its holder, too, though nobody else has it.
        String whole = entity;
        long end = System.nanoTime() + brief().multipliedBy(2).toNanos();
        await(System::nanoTime, now -> now > end + TimeUnit.SECONDS.toNanos(slackSeconds()));

        assertThat(store.renew(late, LONG)).isEmpty();

        assertThat(entity).isEqualTo(whole);
        granted(store.tryAcquire(claim(), LONG));
    }

    /** {@return how many seconds a claim may outlast what was asked for, for a store that keeps whole seconds} */
    protected int slackSeconds() {
        return 0;
    }

    @Test
    void renewingGroupsTouchesNoOthers() {
        LeaseStore store = store();
        LeaseClaim seo = claim("seo");
        granted(store.tryAcquire(seo, brief()));
        LeaseClaim body = claim("body");
        granted(store.tryAcquire(body, LONG));

        assertThat(store.renew(body, LONG)).isPresent();

        await(() -> store.tryAcquire(claim("seo"), LONG), LeaseStoreContract::isGranted);
        assertThat(store.renew(body, LONG)).isPresent();
    }

    @Test
    void anAttemptWhoseAnswerWasLostCanBeRepeated() {
        LeaseStore store = store();
        LeaseClaim claim = claim("seo");
        Granted first = granted(store.tryAcquire(claim, LONG));

        Granted again = granted(store.tryAcquire(claim, LONG));

        assertThat(again.token()).isGreaterThanOrEqualTo(first.token());
        assertThat(isGranted(store.tryAcquire(claim(), LONG))).isFalse();
        assertThat(store.release(claim)).isTrue();
        granted(store.tryAcquire(claim(), LONG));
    }

    // Tokens

    @Test
    void tokensOnlyGrow() {
        LeaseStore store = store();
        List<Long> tokens = new ArrayList<>();
        for (List<String> groups :
                List.of(List.<String>of(), List.of("seo"), List.<String>of(), List.of("body", "seo"), List.of("seo"))) {
            LeaseClaim released = new LeaseClaim(entity, groups, owner());
            tokens.add(granted(store.tryAcquire(released, LONG)).token());
            assertThat(store.release(released)).isTrue();
        }
        tokens.add(granted(store.tryAcquire(claim(), brief())).token());
        LeaseStore other = store();
        tokens.add(granted(await(() -> other.tryAcquire(claim("seo"), LONG), LeaseStoreContract::isGranted))
                .token());

        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    // At once

    private <T> List<T> atOnce(int rivals, Callable<T> attempt) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(rivals);
        List<Future<T>> running = IntStream.range(0, rivals)
                .mapToObj(i -> threads.submit(() -> {
                    barrier.await(patience().toSeconds(), TimeUnit.SECONDS);
                    return attempt.call();
                }))
                .toList();
        List<T> results = new ArrayList<>();
        for (Future<T> future : running) {
            results.add(future.get(patience().toSeconds(), TimeUnit.SECONDS));
        }
        return results;
    }

    @Test
    void ofManyAtOnceOneIsGranted() throws Exception {
        LeaseStore store = store();
        for (int round = 0; round < 15; round++) {
            newEntity();
            List<Boolean> results = atOnce(RIVALS, () -> isGranted(store.tryAcquire(claim(), LONG)));
            assertThat(results).containsOnlyOnce(true);
        }
    }

    @Test
    void ofManyWhoWaitForExpiryOneIsGranted() throws Exception {
        LeaseStore store = store();
        granted(store.tryAcquire(claim(), brief()));
        AtomicInteger holders = new AtomicInteger();

        atOnce(
                RIVALS,
                () -> await(
                        () -> {
                            boolean mine = isGranted(store.tryAcquire(claim(), LONG));
                            return mine ? holders.incrementAndGet() : holders.get();
                        },
                        count -> count > 0));

        assertThat(holders).hasValue(1);
    }

    @Test
    void differentGroupsAtOnceAreAllGranted() throws Exception {
        LeaseStore store = store();
        for (int round = 0; round < 10; round++) {
            newEntity();
            AtomicInteger next = new AtomicInteger();
            List<Boolean> results =
                    atOnce(RIVALS, () -> isGranted(store.tryAcquire(claim("group " + next.incrementAndGet()), LONG)));
            assertThat(results).containsOnly(true);
        }
    }

    @Test
    void overlappingClaimsAtOnceNeverHoldTheSame() throws Exception {
        LeaseStore store = store();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger sum = new AtomicInteger();
        List<Integer> most = atOnce(RIVALS, () -> {
            int seen = 0;
            for (int i = 0; i < 15; i++) {
                LeaseClaim claim = i % 3 == 0
                        ? claim()
                        : claim("shared", "own " + Thread.currentThread().getId());
                if (isGranted(store.tryAcquire(claim, LONG))) {
                    seen = Math.max(seen, inside.incrementAndGet());
                    sum.incrementAndGet();
                    assertThat(store.renew(claim, LONG)).isPresent();
                    inside.decrementAndGet();
                    assertThat(store.release(claim)).isTrue();
                }
            }
            return seen;
        });

        assertThat(most).allSatisfy(seen -> assertThat(seen).isLessThanOrEqualTo(1));
        assertThat(sum).hasPositiveValue();
    }

    /** What is done to one part of an entity is never lost by what is done to another at once. */
    @Test
    void partsOfAnEntityAreChangedAtOnce() throws Exception {
        LeaseStore store = store();
        AtomicInteger next = new AtomicInteger();
        List<Boolean> results = atOnce(RIVALS, () -> {
            LeaseClaim claim = claim("group " + next.incrementAndGet());
            boolean well = true;
            for (int i = 0; i < 10; i++) {
                well &= isGranted(store.tryAcquire(claim, LONG));
                well &= store.renew(claim, LONG).isPresent();
                well &= i % 2 == 0 || store.release(claim);
            }
            return well;
        });

        assertThat(results).containsOnly(true);
        granted(store.tryAcquire(claim(), LONG));
    }

    /** Against the simplest store there is: a list. */
    @Test
    void isAsTheModelSays() {
        long seed = random.nextLong();
        Random choice = new Random(seed);
        LeaseStore store = store();
        List<LeaseClaim> held = new ArrayList<>();
        List<LeaseClaim> known = new ArrayList<>();
        for (int step = 0; step < MODEL_STEPS; step++) {
            int kind = choice.nextInt(4);
            if (kind < 2 || known.isEmpty()) {
                LeaseClaim claim =
                        new LeaseClaim(entity, MODEL_GROUPS.get(choice.nextInt(MODEL_GROUPS.size())), owner());
                boolean expected = held.stream().noneMatch(claim::excludes);
                assertThat(isGranted(store.tryAcquire(claim, LONG)))
                        .as("step %d of seed %d", step, seed)
                        .isEqualTo(expected);
                known.add(claim);
                if (expected) {
                    held.add(claim);
                }
            } else {
                List<LeaseClaim> some = held.isEmpty() || choice.nextBoolean() ? known : held;
                LeaseClaim claim = some.get(choice.nextInt(some.size()));
                boolean expected = held.contains(claim);
                boolean actual = kind == 2
                        ? store.release(claim)
                        : store.renew(claim, LONG).isPresent();
                assertThat(actual).as("step %d of seed %d", step, seed).isEqualTo(expected);
                if (kind == 2) {
                    held.remove(claim);
                }
            }
        }
    }

    @Test
    void purgingLeavesWhatIsHeld() {
        LeaseStore store = store();
        LeaseClaim claim = claim("seo");
        granted(store.tryAcquire(claim, LONG));

        assertThat(store.purge()).isNotNegative();

        assertThat(store.renew(claim, LONG)).isPresent();
    }

    // Waiting

    @Test
    void aReleaseGivesAHint() throws Exception {
        LeaseStore store = store();
        LeaseStore other = store();
        LeaseClaim claim = claim("seo");
        granted(other.tryAcquire(claim, LONG));
        CountDownLatch hinted = new CountDownLatch(1);
        CountDownLatch again = new CountDownLatch(2);

        try (ReleaseWatch watch = store.watch(entity, LONG, () -> {
            hinted.countDown();
            again.countDown();
        })) {
            await(
                    () -> {
                        // The first may come before anybody listens.
                        boolean released = other.release(claim);
                        granted(other.tryAcquire(claim, LONG));
                        return again.await(50, TimeUnit.MILLISECONDS) && released;
                    },
                    told -> told);
        }

        assertThat(hinted.getCount()).isZero();
    }

    private Leases leases(Duration leaseDuration) {
        return Leases.over(
                store(),
                LeaseSettings.builder()
                        .leaseDuration(leaseDuration)
                        .waitUpTo(Duration.ofSeconds(20))
                        .pollEvery(Duration.ofSeconds(10))
                        .build());
    }

    /** So seldom does it ask without a hint that only a hint can be that fast. */
    @Test
    void aReleasedLeaseIsHandedOver() throws Exception {
        try (Leases mine = leases(LONG);
                Leases yours = leases(LONG)) {
            for (int round = 0; round < 3; round++) {
                Lease first = mine.acquire(LeaseScope.of(entity));
                Future<Lease> second = threads.submit(() -> yours.acquire(LeaseScope.of(entity)));
                assertThatThrownBy(() -> second.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);

                first.release();

                try (Lease lease = second.get(patience().toMillis() / 5, TimeUnit.MILLISECONDS)) {
                    assertThat(lease.token()).isGreaterThan(first.token());
                }
            }
        }
    }

    @Test
    void aHolderThatDiesIsReplacedWhenItsTimeIsOver() throws Exception {
        try (Leases leases = leases(LONG)) {
            long start = System.nanoTime();
            granted(store().tryAcquire(claim(), brief()));

            try (Lease lease = leases.acquire(LeaseScope.of(entity))) {
                assertThat(lease.isHeld()).isTrue();
            }

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(brief().plusSeconds(slackSeconds() + 4));
        }
    }

    @Test
    void aHeldLeaseIsRenewedAndOthersWaitInVain() {
        Duration brief = brief();
        try (Leases mine = leases(brief);
                Leases yours = leases(LONG);
                Lease lease = mine.acquire(LeaseScope.of(entity, "seo"))) {
            assertThatThrownBy(() -> yours.acquire(List.of(LeaseScope.of(entity)), brief.multipliedBy(3)))
                    .isInstanceOf(LeaseNotAcquiredException.class);
            lease.ensureHeld();
            assertThat(lease.remaining()).isPositive();
        }
    }
}

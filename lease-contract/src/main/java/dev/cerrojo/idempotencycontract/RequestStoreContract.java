package dev.cerrojo.idempotencycontract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.idempotency.ClaimAttempt;
import dev.cerrojo.idempotency.ClaimTerms;
import dev.cerrojo.idempotency.ClaimToken;
import dev.cerrojo.idempotency.RequestHash;
import dev.cerrojo.idempotency.RequestKey;
import dev.cerrojo.idempotency.RequestStore;
import dev.cerrojo.idempotency.StoredResponse;
import dev.cerrojo.idempotency.StuckClaim;
import dev.cerrojo.idempotency.Takeover;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a store of requests must do. A test class extends it and gives its store:
 *
 * <pre>{@code
 * class MyRequestStoreTest extends RequestStoreContract {
 *     @Override
 *     protected RequestStore store() {
 *         return new MyRequestStore(server);
 *     }
 * }
 * }</pre>
 *
 * <p>Each test uses keys of its own, so that all of them may use one server that is never emptied.
 */
public abstract class RequestStoreContract {
    /** So long that nothing is over within a test. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private static final Duration BRIEF = Duration.ofMillis(1);
    private static final int RIVALS = 6;
    private static final int MOST = 100_000;

    private static final RequestHash REQUEST = RequestHash.ofText("three apples");
    private static final StoredResponse CREATED = new StoredResponse(
            201,
            List.of(Map.entry("Location", "/orders/1 €"), Map.entry("Link", "a"), Map.entry("Link", "")),
            new byte[] {0, 1, -1, 32, 0});

    private final ClaimToken ana = ClaimToken.random();
    private final ClaimToken ben = ClaimToken.random();
    private RequestKey key = RequestKey.of("pay", "nobody", "none");

    /** The contract of one's own store. */
    protected RequestStoreContract() {}

    /** {@return the store; of the same server each time} */
    protected abstract RequestStore store();

    /** {@return how long a test waits for what must come, on a slow machine} */
    protected Duration patience() {
        return Duration.ofSeconds(20);
    }

    /** Makes a key that no other test has used. */
    @BeforeEach
    void newKey() {
        key = RequestKey.of("pay", "a/b%2Fc", "é " + ClaimToken.random().hex());
    }

    private ClaimAttempt<StoredResponse> claim(ClaimToken token, Takeover takeover) {
        return store().claim(key, REQUEST, token, new ClaimTerms(LONG, LONG, takeover));
    }

    private ClaimAttempt<StoredResponse> claim(ClaimToken token) {
        return claim(token, Takeover.RUN_AGAIN);
    }

    private void claimed(ClaimToken token, int number) {
        assertThat(claim(token)).isEqualTo(new ClaimAttempt.Claimed<>(number));
    }

    private boolean complete(ClaimToken token) {
        return store().complete(key, token, CREATED, LONG);
    }

    private void abandoned(Takeover takeover) {
        assertThat(claim(ana, takeover)).isInstanceOf(ClaimAttempt.Claimed.class);
        assertThat(store().abandon(key, ana)).isTrue();
    }

    private void await(String what, Callable<Boolean> state) throws Exception {
        long deadline = System.nanoTime() + patience().toNanos();
        while (!state.call()) {
            assertThat(System.nanoTime()).as("deadline of: " + what).isLessThan(deadline);
            Thread.sleep(1);
        }
    }

    /** By the clock of the store: until a claim that was made as late as now has ended. */
    private void untilWhatIsBriefIsOver() throws Exception {
        RequestKey other = RequestKey.of("other", key.caller(), key.key());
        ClaimTerms brief = new ClaimTerms(BRIEF, LONG, Takeover.RUN_AGAIN);
        assertThat(store().claim(other, REQUEST, ana, brief)).isInstanceOf(ClaimAttempt.Claimed.class);
        await("a brief claim is over", () -> store().claim(other, REQUEST, ben, brief) instanceof ClaimAttempt.Claimed);
    }

    // Claims

    @Test
    void whileOneHasItNobodyElseDoes() {
        claimed(ana, 1);
        assertThat(claim(ben))
                .isInstanceOfSatisfying(
                        ClaimAttempt.InProgress.class,
                        inProgress -> assertThat(inProgress.heldFor()).isBetween(LONG.minusMinutes(1), LONG));
    }

    @Test
    void aClaimOfTheSameTokenIsGrantedAgain() {
        claimed(ana, 1);
        claimed(ana, 1);
    }

    @Test
    void eachPartOfTheKeyCounts() {
        claimed(ana, 1);
        for (RequestKey other : List.of(
                RequestKey.of("refund", key.caller(), key.key()),
                RequestKey.of(key.operation(), "a/b/c", key.key()),
                RequestKey.of(key.operation() + "/a", "b%2Fc", key.key()),
                RequestKey.of(key.operation(), key.caller(), key.key() + " "))) {
            assertThat(store().claim(other, REQUEST, ben, new ClaimTerms(LONG, LONG, Takeover.RUN_AGAIN)))
                    .isEqualTo(new ClaimAttempt.Claimed<>(1));
            assertThat(store().forget(other, ben)).isTrue();
        }
    }

    @Test
    void ofManyAtOnceOneHasIt() throws Exception {
        ofManyOneHasIt(1);
    }

    @Test
    void ofManyWhoTakeOverOneHasIt() throws Exception {
        abandoned(Takeover.RUN_AGAIN);
        ofManyOneHasIt(2);
    }

    private void ofManyOneHasIt(int number) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(RIVALS);
        try {
            CyclicBarrier start = new CyclicBarrier(RIVALS);
            Callable<ClaimAttempt<StoredResponse>> rival = () -> {
                start.await();
                return claim(ClaimToken.random());
            };
            List<ClaimAttempt<StoredResponse>> attempts = new ArrayList<>();
            for (Future<ClaimAttempt<StoredResponse>> each : IntStream.range(0, RIVALS)
                    .mapToObj(i -> threads.submit(rival))
                    .toList()) {
                attempts.add(each.get(patience().toMillis(), TimeUnit.MILLISECONDS));
            }
            assertThat(attempts).containsOnlyOnce(new ClaimAttempt.Claimed<>(number));
            assertThat(attempts.stream().filter(ClaimAttempt.InProgress.class::isInstance))
                    .hasSize(RIVALS - 1);
        } finally {
            threads.shutdownNow();
        }
    }

    // Results

    @Test
    void whatIsCompletedIsAnsweredByteForByte() {
        claimed(ana, 1);
        assertThat(complete(ana)).isTrue();
        assertThat(claim(ben)).isEqualTo(new ClaimAttempt.Completed<>(CREATED));
        assertThat(claim(ana)).isEqualTo(new ClaimAttempt.Completed<>(CREATED));
    }

    @Test
    void whatHasFailedStaysSo() {
        claimed(ana, 1);
        assertThat(store().fail(key, ana, "no such card: €", LONG)).isTrue();
        assertThat(claim(ben)).isEqualTo(new ClaimAttempt.Failed<>("no such card: €"));
        assertThat(complete(ana)).isFalse();
    }

    @Test
    void settlingAgainAfterALostAnswerAnswersTheSame() {
        claimed(ana, 1);
        assertThat(complete(ana)).isTrue();
        assertThat(complete(ana)).isTrue();
        assertThat(store().complete(key, ana, StoredResponse.json(200, "other"), LONG))
                .isTrue();
        assertThat(store().fail(key, ana, "late", LONG)).isFalse();
        assertThat(store().forget(key, ana)).isFalse();
        assertThat(claim(ben)).isEqualTo(new ClaimAttempt.Completed<>(CREATED));
    }

    @Test
    void failingAgainAnswersTheSame() {
        claimed(ana, 1);
        assertThat(store().fail(key, ana, "no", LONG)).isTrue();
        assertThat(store().fail(key, ana, "another reason", LONG)).isTrue();
    }

    @Test
    void whatIsForgottenIsNew() {
        claimed(ana, 1);
        assertThat(store().forget(key, ana)).isTrue();
        assertThat(store().forget(key, ana)).isFalse();
        claimed(ben, 1);
    }

    @Test
    void anotherRequestIsRefusedInEachState() {
        ClaimTerms terms = new ClaimTerms(LONG, LONG, Takeover.RUN_AGAIN);
        RequestHash other = RequestHash.ofText("four apples");
        claimed(ana, 1);
        assertThat(store().claim(key, other, ben, terms)).isEqualTo(new ClaimAttempt.Mismatch<>());
        assertThat(store().abandon(key, ana)).isTrue();
        assertThat(store().claim(key, other, ben, terms)).isEqualTo(new ClaimAttempt.Mismatch<>());
        assertThat(complete(ana)).isTrue();
        assertThat(store().claim(key, other, ben, terms)).isEqualTo(new ClaimAttempt.Mismatch<>());
    }

    // Who does not have it

    @Test
    void nobodySettlesWhatAnotherHas() {
        claimed(ana, 1);
        assertThat(complete(ben)).isFalse();
        assertThat(store().fail(key, ben, "no", LONG)).isFalse();
        assertThat(store().forget(key, ben)).isFalse();
        assertThat(store().abandon(key, ben)).isFalse();
        assertThat(store().renew(key, ben, LONG)).isFalse();
        assertThat(claim(ben)).isInstanceOf(ClaimAttempt.InProgress.class);
    }

    @Test
    void nothingIsMadeByWhoHasNothing() {
        assertThat(store().renew(key, ana, LONG)).isFalse();
        assertThat(complete(ana)).isFalse();
        assertThat(store().fail(key, ana, "no", LONG)).isFalse();
        assertThat(store().abandon(key, ana)).isFalse();
        claimed(ben, 1);
    }

    @Test
    void aZombieIsRefusedAfterATakeover() {
        abandoned(Takeover.RUN_AGAIN);
        claimed(ben, 2);
        assertThat(complete(ana)).isFalse();
        assertThat(store().fail(key, ana, "no", LONG)).isFalse();
        assertThat(store().forget(key, ana)).isFalse();
        assertThat(store().renew(key, ana, LONG)).isFalse();
        assertThat(complete(ben)).isTrue();
        assertThat(complete(ana)).isFalse();
    }

    @Test
    void aZombieCompletesWhatNobodyHasTakenOver() {
        abandoned(Takeover.RUN_AGAIN);
        assertThat(complete(ana)).isTrue();
        assertThat(claim(ben)).isEqualTo(new ClaimAttempt.Completed<>(CREATED));
    }

    // Time

    @Test
    void aClaimWithoutASignOfLifeEndsByItself() throws Exception {
        assertThat(store().claim(key, REQUEST, ana, new ClaimTerms(BRIEF, LONG, Takeover.RUN_AGAIN)))
                .isInstanceOf(ClaimAttempt.Claimed.class);
        await("it is taken over", () -> claim(ben).equals(new ClaimAttempt.Claimed<>(2)));
    }

    @Test
    void aRenewedClaimGoesOn() throws Exception {
        assertThat(store().claim(key, REQUEST, ana, new ClaimTerms(BRIEF, LONG, Takeover.RUN_AGAIN)))
                .isInstanceOf(ClaimAttempt.Claimed.class);
        assertThat(store().renew(key, ana, LONG)).isTrue();
        untilWhatIsBriefIsOver();
        assertThat(claim(ben)).isInstanceOf(ClaimAttempt.InProgress.class);
    }

    @Test
    void afterItsRetentionAResultIsGone() throws Exception {
        claimed(ana, 1);
        assertThat(store().complete(key, ana, CREATED, BRIEF)).isTrue();
        await("it is new", () -> claim(ben).equals(new ClaimAttempt.Claimed<>(1)));
    }

    @Test
    void afterItsRetentionTheKeyIsThatOfAnyRequest() throws Exception {
        claimed(ana, 1);
        assertThat(store().fail(key, ana, "no", BRIEF)).isTrue();
        RequestHash other = RequestHash.ofText("four apples");
        ClaimTerms terms = new ClaimTerms(LONG, LONG, Takeover.RUN_AGAIN);
        await("it is new", () -> store().claim(key, other, ben, terms).equals(new ClaimAttempt.Claimed<>(1)));
    }

    // Takeover

    @Test
    void whatIsToFailHasFailedForAll() {
        abandoned(Takeover.FAIL);
        assertThat(claim(ben, Takeover.FAIL)).isInstanceOf(ClaimAttempt.Failed.class);
        assertThat(complete(ana)).isFalse();
        assertThat(claim(ben)).isInstanceOf(ClaimAttempt.Failed.class);
    }

    @Test
    void whatIsLeftToAPersonIsSettledByTheClaim() {
        abandoned(Takeover.ASK);
        assertThat(claim(ben, Takeover.ASK)).isEqualTo(new ClaimAttempt.Abandoned<>(ana));
        assertThat(claim(ben, Takeover.ASK)).isEqualTo(new ClaimAttempt.Abandoned<>(ana));
        assertThat(complete(ana)).isTrue();
        assertThat(claim(ben, Takeover.ASK)).isEqualTo(new ClaimAttempt.Completed<>(CREATED));
    }

    @Test
    void whatIsLeftToAPersonIsNeverPurged() throws Exception {
        assertThat(store().claim(key, REQUEST, ana, new ClaimTerms(BRIEF, BRIEF, Takeover.ASK)))
                .isInstanceOf(ClaimAttempt.Claimed.class);
        await("it is stuck", () -> stuck().size() == 1);
        store().purge(MOST);
        assertThat(stuck()).singleElement().satisfies(stuck -> {
            assertThat(stuck.claim()).isEqualTo(ana);
            assertThat(stuck.number()).isOne();
            assertThat(stuck.since()).isBetween(Duration.ZERO, LONG);
        });
        assertThat(store().forget(key, ana)).isTrue();
        assertThat(stuck()).isEmpty();
    }

    @Test
    void whatIsAtWorkIsNotStuckAndNotPurged() throws Exception {
        assertThat(store().claim(key, REQUEST, ana, new ClaimTerms(BRIEF, BRIEF, Takeover.ASK)))
                .isInstanceOf(ClaimAttempt.Claimed.class);
        assertThat(store().renew(key, ana, LONG)).isTrue();
        untilWhatIsBriefIsOver();
        store().purge(MOST);
        assertThat(stuck()).isEmpty();
        assertThat(complete(ana)).isTrue();
    }

    @Test
    void resultsThatAreNotOverAreNotPurged() {
        claimed(ana, 1);
        assertThat(complete(ana)).isTrue();
        store().purge(MOST);
        assertThat(claim(ben)).isEqualTo(new ClaimAttempt.Completed<>(CREATED));
    }

    /** {@return what is stuck of this test's key} */
    private List<StuckClaim> stuck() {
        String text = String.join("/", key.operation(), key.caller(), key.key());
        return store().stuck(MOST).stream()
                .filter(stuck -> stuck.key().equals(text))
                .toList();
    }
}

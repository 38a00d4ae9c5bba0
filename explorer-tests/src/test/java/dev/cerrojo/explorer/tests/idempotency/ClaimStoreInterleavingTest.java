package dev.cerrojo.explorer.tests.idempotency;

import static dev.cerrojo.explorer.tests.idempotency.Ledger.allHold;
import static dev.cerrojo.explorer.tests.idempotency.Ledger.isViolated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.junit.InterleavingTest;
import dev.cerrojo.idempotency.ClaimAttempt;
import dev.cerrojo.idempotency.ClaimTerms;
import dev.cerrojo.idempotency.ClaimToken;
import dev.cerrojo.idempotency.IdempotencyStoreException;
import dev.cerrojo.idempotency.RequestHash;
import dev.cerrojo.idempotency.RequestKey;
import dev.cerrojo.idempotency.RequestStore;
import dev.cerrojo.idempotency.StoredResponse;
import dev.cerrojo.idempotency.Takeover;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;

/**
 * Claims in phases: claim, then an effect elsewhere, then completion. In every order
 * of those who claim, take over, renew, come back too late and purge.
 */
class ClaimStoreInterleavingTest {
    private static final RequestKey KEY = RequestKey.of("pay", "customer/17", "k1");
    private static final RequestHash REQUEST = RequestHash.ofText("pay 5");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final ClaimTerms RUN_AGAIN = new ClaimTerms(HOUR, HOUR, Takeover.RUN_AGAIN);
    private static final ClaimTerms FAIL = new ClaimTerms(HOUR, HOUR, Takeover.FAIL);
    private static final ClaimToken ANA = new ClaimToken("a".repeat(32));
    private static final ClaimToken BEN = new ClaimToken("b".repeat(32));
    private static final ClaimToken CLEO = new ClaimToken("c".repeat(32));

    /** The time of each claim is over: what the server's clock would do, as a statement. */
    private static final String STALE = "UPDATE cerrojo.api_request SET claimed_until = '2000-01-01'";

    private static final String OVER = "UPDATE cerrojo.api_request SET expires_at = '2000-01-01'";
    private static final String ENTRIES = "SELECT count(*) FROM cerrojo.api_request";

    private final Ledger ledger = new Ledger();
    /** What has happened elsewhere, and cannot be taken back. */
    private final List<ClaimToken> effects = new CopyOnWriteArrayList<>();

    private final List<ClaimToken> accepted = new CopyOnWriteArrayList<>();
    private final List<ClaimAttempt<StoredResponse>> told = new CopyOnWriteArrayList<>();

    ClaimStoreInterleavingTest() throws SQLException {}

    @AfterEach
    void close() {
        ledger.close();
    }

    /** What somebody does, rightly or not; tells whether it was granted. */
    private interface Change {
        boolean make(DataSource dataSource, ClaimToken token) throws SQLException;
    }

    private static boolean claim(DataSource dataSource, ClaimToken token) {
        return RequestStore.inPostgres(dataSource).claim(KEY, REQUEST, token, RUN_AGAIN)
                instanceof ClaimAttempt.Claimed;
    }

    private static boolean complete(DataSource dataSource, ClaimToken token) {
        return RequestStore.inPostgres(dataSource).complete(KEY, token, response(token), HOUR);
    }

    private static StoredResponse response(ClaimToken token) {
        return StoredResponse.json(200, token.hex());
    }

    private DataSource over(Interleavings race, Isolation level) {
        DataSource gated = ledger.over(race, level);
        race.beforeEach(() -> {
            effects.clear();
            accepted.clear();
            told.clear();
        });
        return gated;
    }

    private void perform(DataSource dataSource, ClaimToken token, Change complete) throws SQLException {
        effects.add(token);
        if (complete.make(dataSource, token)) {
            accepted.add(token);
        }
    }

    private void perform(DataSource dataSource, ClaimToken token, Change claim, Change complete) throws SQLException {
        if (claim.make(dataSource, token)) {
            perform(dataSource, token, complete);
        }
    }

    private void oneEffect() {
        assertThat(effects).hasSize(1);
    }

    private static String name(ClaimToken token) {
        return token.hex().substring(0, 1);
    }

    /** As if it had happened before. */
    private void claimedBefore(ClaimToken token) throws SQLException {
        assertThat(claim(ledger.setup(), token)).isTrue();
        ledger.execute(STALE);
    }

    private void completedBefore(ClaimToken token) throws SQLException {
        claimedBefore(token);
        assertThat(complete(ledger.setup(), token)).isTrue();
    }

    // Claimers

    private Interleavings claimers(Interleavings race, Isolation level, Change claim) {
        DataSource gated = over(race, level);
        for (ClaimToken token : List.of(ANA, BEN)) {
            race.session(
                    name(token) + " claims", () -> perform(gated, token, claim, ClaimStoreInterleavingTest::complete));
        }
        return race.holds("one effect", this::oneEffect)
                .holds("one is accepted", () -> assertThat(accepted).hasSize(1))
                .neverFails()
                .neverDeadlocks();
    }

    @InterleavingTest
    void twoClaimers(Interleavings race) {
        allHold(claimers(race, Isolation.READ_COMMITTED, ClaimStoreInterleavingTest::claim));
    }

    @InterleavingTest
    void twoClaimersOverAPoolAtRepeatableRead(Interleavings race) {
        allHold(claimers(race, Isolation.REPEATABLE_READ, ClaimStoreInterleavingTest::claim));
    }

    /** The control: look for the key, then write it, whoever else has. */
    @InterleavingTest(maxSchedules = 80)
    void lookingBeforeInsertingClaimsTwice(Interleavings race) {
        isViolated(claimers(
                race,
                Isolation.READ_COMMITTED,
                (dataSource, token) ->
                        Ledger.number(dataSource, ENTRIES) == 0 && Ledger.update(dataSource, insert(token)) >= 0));
    }

    private static String insert(ClaimToken token) {
        return """
                INSERT INTO cerrojo.api_request (operation, caller, key, request_hash, status, claim, claimed_until, claims, expires_at)
                VALUES ('pay', 'customer/17', 'k1', '\\x%s', 'PENDING', '%s', '2100-01-01', 1, '2100-01-01')
                ON CONFLICT DO NOTHING""".formatted(REQUEST, token.hex());
    }

    // Recoverers

    @InterleavingTest
    void twoRecoverers(Interleavings race) throws SQLException {
        claimedBefore(CLEO);
        allHold(claimers(race, Isolation.READ_COMMITTED, ClaimStoreInterleavingTest::claim));
    }

    /** The control: who found a stale claim overwrites it, whatever it is by then. */
    @InterleavingTest(maxSchedules = 80)
    void anUnconditionalTakeoverIsHadByTwo(Interleavings race) throws SQLException {
        claimedBefore(CLEO);
        isViolated(claimers(race, Isolation.READ_COMMITTED, ClaimStoreInterleavingTest::takeOverUnconditionally));
    }

    private static boolean takeOverUnconditionally(DataSource dataSource, ClaimToken token) throws SQLException {
        boolean isStale = Ledger.number(dataSource, ENTRIES + " WHERE claimed_until < clock_timestamp()") > 0;
        return isStale
                && Ledger.update(
                                dataSource,
                                "UPDATE cerrojo.api_request SET claim = '%s', claimed_until = '2100-01-01'"
                                        .formatted(token.hex()))
                        > 0;
    }

    private void whatIsKeptIsOfWhoWasAccepted() throws SQLException {
        assertThat(accepted).hasSize(1);
        assertThat(effects).contains(accepted.get(0));
        assertThat(ledger.number(ENTRIES
                        + " WHERE response_body = '%s'"
                                .formatted(accepted.get(0).hex())))
                .as("entries with the response of that one")
                .isOne();
    }

    /** Ana's time is over when she has claimed; she goes on nevertheless, and Ben comes when he likes. */
    private Interleavings claimerAndRecoverer(Interleavings race, Isolation level, Change complete) {
        DataSource gated = over(race, level);
        return race.session("Ana claims, and is slow", () -> {
                    if (claim(gated, ANA)) {
                        Ledger.update(gated, STALE + " WHERE claim = '" + ANA.hex() + "'");
                        perform(gated, ANA, complete);
                    }
                })
                .session("Ben recovers", () -> perform(gated, BEN, ClaimStoreInterleavingTest::claim, complete))
                .holds("one is accepted, and kept", this::whatIsKeptIsOfWhoWasAccepted)
                .neverFails();
    }

    @InterleavingTest
    void aClaimerAndARecoverer(Interleavings race) {
        allHold(claimerAndRecoverer(race, Isolation.READ_COMMITTED, ClaimStoreInterleavingTest::complete));
    }

    /** Ana was at it, and somebody may take over; she comes back to complete. */
    private Interleavings zombie(Interleavings race, Isolation level, Change complete) throws SQLException {
        claimedBefore(ANA);
        DataSource gated = over(race, level);
        return race.session("Ana comes back", () -> perform(gated, ANA, complete))
                .session("Ben recovers", () -> perform(gated, BEN, ClaimStoreInterleavingTest::claim, complete))
                .holds("one is accepted, and kept", this::whatIsKeptIsOfWhoWasAccepted)
                .neverFails();
    }

    @InterleavingTest
    void aZombieAndARecoverer(Interleavings race) throws SQLException {
        allHold(zombie(race, Isolation.READ_COMMITTED, ClaimStoreInterleavingTest::complete));
    }

    @InterleavingTest
    void aZombieAndARecovererOverAPoolAtSerializable(Interleavings race) throws SQLException {
        allHold(zombie(race, Isolation.SERIALIZABLE, ClaimStoreInterleavingTest::complete));
    }

    /** The control. */
    @InterleavingTest(maxSchedules = 80)
    void completingWithoutComparingTheTokenIsAcceptedOfTwo(Interleavings race) throws SQLException {
        isViolated(zombie(
                race,
                Isolation.READ_COMMITTED,
                (dataSource, token) -> Ledger.update(dataSource, """
                                UPDATE cerrojo.api_request SET status = 'COMPLETED', response_status = 200,
                                  response_headers = '{}', response_body = '%s'""".formatted(token.hex())) > 0));
    }

    // Effects that take the key

    /** Ana comes back, and Ben recovers; what each of them does is done elsewhere, and says which key it is for. */
    private Interleavings charges(Interleavings race, String elsewhere) throws SQLException {
        ledger.execute(elsewhere);
        claimedBefore(ANA);
        DataSource gated = over(race, Isolation.READ_COMMITTED);
        return race.session("Ana comes back", () -> charge(gated, ANA))
                .session("Ben recovers", () -> {
                    if (claim(gated, BEN)) {
                        charge(gated, BEN);
                    }
                })
                .holds(
                        "one charge",
                        () -> assertThat(ledger.number("SELECT count(*) FROM charge"))
                                .isOne())
                .holds("one is accepted", () -> assertThat(accepted).hasSize(1))
                .neverFails();
    }

    private void charge(DataSource dataSource, ClaimToken token) throws SQLException {
        Ledger.update(dataSource, "INSERT INTO charge VALUES ('k1') ON CONFLICT DO NOTHING");
        if (complete(dataSource, token)) {
            accepted.add(token);
        }
    }

    @InterleavingTest
    void anEffectThatTakesTheKeyIsMadeOnce(Interleavings race) throws SQLException {
        allHold(charges(race, "CREATE TABLE charge (key text PRIMARY KEY)"));
    }

    /** The control: one that does not. */
    @InterleavingTest(maxSchedules = 80)
    void anEffectThatDoesNotTakeTheKeyIsMadeTwice(Interleavings race) throws SQLException {
        isViolated(charges(race, "CREATE TABLE charge (key text)"));
    }

    // Giving up

    /** Ana comes back, and Ben may not do it again: either it is done, or it has failed, for all who ask. */
    private Interleavings giveUp(Interleavings race, Change look) throws SQLException {
        claimedBefore(ANA);
        DataSource gated = over(race, Isolation.READ_COMMITTED);
        return race.session("Ana comes back", () -> perform(gated, ANA, ClaimStoreInterleavingTest::complete))
                .session("Ben gives up", () -> assertThat(look.make(gated, BEN)).isFalse())
                .holds(
                        "done, or failed",
                        () -> assertThat(ledger.number(ENTRIES + " WHERE status = 'COMPLETED'"))
                                .isEqualTo(accepted.size()))
                .neverFails();
    }

    @InterleavingTest
    void aZombieAndOneWhoGivesUp(Interleavings race) throws SQLException {
        allHold(giveUp(race, (dataSource, token) -> {
                    told.add(RequestStore.inPostgres(dataSource).claim(KEY, REQUEST, token, FAIL));
                    return false;
                })
                .holds(
                        "Ben is told the same",
                        () -> assertThat(told)
                                .singleElement()
                                .isInstanceOf(
                                        accepted.isEmpty()
                                                ? ClaimAttempt.Failed.class
                                                : ClaimAttempt.Completed.class)));
    }

    /** The control: found stale, and failed, whatever it is by then. */
    @InterleavingTest(maxSchedules = 80)
    void givingUpUnconditionallyOverwritesWhatIsDone(Interleavings race) throws SQLException {
        isViolated(giveUp(
                race,
                (dataSource, token) -> Ledger.number(dataSource, ENTRIES + " WHERE status = 'PENDING'") > 0
                        && Ledger.update(dataSource, "UPDATE cerrojo.api_request SET status = 'FAILED', failure = ''")
                                < 0));
    }

    // Renewal

    /** Ana's time is over; she renews nevertheless. */
    private Interleavings lateRenewal(Interleavings race, Change renewal) throws SQLException {
        claimedBefore(ANA);
        DataSource gated = over(race, Isolation.READ_COMMITTED);
        for (ClaimToken token : List.of(ANA, BEN)) {
            Change change = token.equals(ANA) ? renewal : ClaimStoreInterleavingTest::claim;
            race.session(name(token) + " comes", () -> {
                if (change.make(gated, token)) {
                    accepted.add(token);
                }
            });
        }
        return race.holds("one has it", () -> assertThat(accepted).hasSize(1)).neverFails();
    }

    @InterleavingTest
    void aLateRenewalStealsNothing(Interleavings race) throws SQLException {
        allHold(lateRenewal(
                race, (dataSource, token) -> RequestStore.inPostgres(dataSource).renew(KEY, token, HOUR)));
    }

    /** The control: a renewal that claims. */
    @InterleavingTest(maxSchedules = 80)
    void aRenewalThatClaimsSteals(Interleavings race) throws SQLException {
        isViolated(lateRenewal(
                race,
                (dataSource, token) -> Ledger.update(
                                dataSource,
                                "UPDATE cerrojo.api_request SET claim = '%s', claimed_until = '2100-01-01'"
                                        .formatted(token.hex()))
                        > 0));
    }

    // Purge

    private static final String PURGE_WITHOUT_LOOKING_AGAIN = """
            DELETE FROM cerrojo.api_request
            WHERE key IN (SELECT key FROM cerrojo.api_request WHERE expires_at <= clock_timestamp())""";

    /** What is removed, rightly or not. */
    private interface Purge {
        void of(DataSource dataSource) throws SQLException;
    }

    private static void purge(DataSource dataSource) {
        int unused = RequestStore.inPostgres(dataSource).purge(10);
    }

    private static void purgeWithoutLookingAgain(DataSource dataSource) throws SQLException {
        Ledger.update(dataSource, PURGE_WITHOUT_LOOKING_AGAIN);
    }

    private void whatWasAcceptedIsThere() throws SQLException {
        assertThat(ledger.number(ENTRIES)).isEqualTo(accepted.size());
    }

    /** Ana's work took longer than anything is kept. */
    private Interleavings purgeAndCompletion(Interleavings race, Purge purge) throws SQLException {
        claimedBefore(ANA);
        ledger.execute(OVER);
        DataSource gated = over(race, Isolation.READ_COMMITTED);
        return race.session("Ana completes", () -> perform(gated, ANA, ClaimStoreInterleavingTest::complete))
                .session("purge", () -> purge.of(gated))
                .holds("what was accepted is there", this::whatWasAcceptedIsThere)
                .neverFails();
    }

    @InterleavingTest
    void purgeAgainstCompletion(Interleavings race) throws SQLException {
        allHold(purgeAndCompletion(race, ClaimStoreInterleavingTest::purge));
    }

    /** The control. */
    @InterleavingTest(maxSchedules = 80)
    void aPurgeThatDoesNotLookAgainRemovesWhatIsDone(Interleavings race) throws SQLException {
        isViolated(purgeAndCompletion(race, ClaimStoreInterleavingTest::purgeWithoutLookingAgain));
    }

    /** The retention is over, and Ben comes with the same key. */
    private Interleavings purgeAndNewClaim(Interleavings race, Purge purge) throws SQLException {
        completedBefore(CLEO);
        ledger.execute(OVER);
        DataSource gated = over(race, Isolation.READ_COMMITTED);
        return race.session(
                        "Ben claims",
                        () -> perform(
                                gated, BEN, ClaimStoreInterleavingTest::claim, ClaimStoreInterleavingTest::complete))
                .session("purge", () -> purge.of(gated))
                .holds("one effect", this::oneEffect)
                .holds("one is accepted, and kept", this::whatIsKeptIsOfWhoWasAccepted)
                .neverFails();
    }

    @InterleavingTest
    void purgeAgainstANewClaim(Interleavings race) throws SQLException {
        allHold(purgeAndNewClaim(race, ClaimStoreInterleavingTest::purge));
    }

    /** The control. */
    @InterleavingTest(maxSchedules = 80)
    void aPurgeThatDoesNotLookAgainRemovesANewClaim(Interleavings race) throws SQLException {
        isViolated(purgeAndNewClaim(race, ClaimStoreInterleavingTest::purgeWithoutLookingAgain));
    }

    // Lost answers

    /** Who does not know whether it has the claim asks again. */
    private Interleavings lostAnswer(Interleavings race, Supplier<ClaimToken> second) {
        DataSource gated = over(race, Isolation.READ_COMMITTED);
        return race.session("Ana claims in the end", () -> {
                    ClaimToken token = ANA;
                    boolean isClaimed;
                    try {
                        isClaimed = claim(gated, token);
                    } catch (IdempotencyStoreException lost) {
                        token = second.get();
                        isClaimed = claim(gated, token);
                    }
                    if (isClaimed) {
                        effects.add(token);
                    }
                })
                .faults(0, 1)
                .holds("one effect", this::oneEffect);
    }

    @InterleavingTest
    void aLostAnswerIsAskedForAgain(Interleavings race) {
        allHold(lostAnswer(race, () -> ANA));
    }

    /** The control: asked again as somebody else. */
    @InterleavingTest(maxSchedules = 80)
    void aLostAnswerAskedForWithANewTokenBlocksTheKey(Interleavings race) {
        isViolated(lostAnswer(race, () -> BEN));
    }
}

package dev.cerrojo.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.schema.Schema;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.testsupport.process.Await;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PhasedRequestsPostgresTest {
    private static final RequestKey KEY = RequestKey.of("pay", "customer/17", "k1");
    private static final JobKey JOB = JobKey.of("charge", "order/17");
    private static final RequestHash REQUEST = RequestHash.ofText("pay 5");
    private static final StoredResponse PAID = StoredResponse.json(201, "\"paid\"");
    private static final Duration BRIEF = Duration.ofMillis(600);
    private static final Duration LONG = Duration.ofHours(1);

    private static TestDatabase database;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private TroubledStore store;

    @BeforeAll
    static void create() throws SQLException {
        database = TestDatabase.create();
        Schema.over(database.dataSource()).create();
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    @BeforeEach
    void empty() throws SQLException {
        execute("TRUNCATE cerrojo.api_request, cerrojo.job");
        store = new TroubledStore(RequestStore.inPostgres(database.dataSource()));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private PhasedRequests requests(Takeover takeover, Duration claimFor) {
        PhasedRequests requests = PhasedRequests.over(store, settings(takeover, claimFor));
        opened.add(requests);
        return requests;
    }

    private static IdempotencySettings settings(Takeover takeover, Duration claimFor) {
        return IdempotencySettings.builder()
                .takeover(takeover)
                .claimFor(claimFor)
                .build();
    }

    private PhasedRequests requests(Takeover takeover) {
        return requests(takeover, LONG);
    }

    private PhasedJobs jobs() {
        PhasedJobs jobs =
                PhasedJobs.over(JobStore.inPostgres(database.dataSource()), settings(Takeover.RUN_AGAIN, LONG));
        opened.add(jobs);
        return jobs;
    }

    private static Claim<StoredResponse> begin(PhasedRequests requests) {
        Begun<StoredResponse> begun = requests.begin(KEY, REQUEST);
        assertThat(begun).isInstanceOf(Begun.Ours.class);
        return ((Begun.Ours<StoredResponse>) begun).claim();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private boolean is(String condition) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + condition + " FROM cerrojo.api_request")) {
            return row.next() && row.getBoolean(1);
        }
    }

    private void stale() throws SQLException {
        execute("UPDATE cerrojo.api_request SET claimed_until = '2000-01-01'");
    }

    /** What somebody else does who finds it stale. */
    private void takeOver() throws SQLException {
        execute("UPDATE cerrojo.api_request SET claim = gen_random_uuid(), claims = claims + 1");
    }

    @Test
    void aRepetitionGetsTheResponse() {
        PhasedRequests requests = requests(Takeover.RUN_AGAIN);
        assertThat(requests.call(KEY, REQUEST, claim -> PAID)).isEqualTo(new Reply(PAID, false));
        assertThat(requests.call(KEY, REQUEST, claim -> {
                    throw new IllegalStateException("it is not done again");
                }))
                .isEqualTo(new Reply(PAID, true));
    }

    @Test
    void whoComesMeanwhileIsToldSo() {
        PhasedRequests requests = requests(Takeover.RUN_AGAIN);
        requests.call(KEY, REQUEST, claim -> {
            assertThatThrownBy(() -> requests.begin(KEY, REQUEST))
                    .isInstanceOfSatisfying(InProgressException.class, inProgress -> assertThat(inProgress.retryAfter())
                            .isBetween(LONG.minusMinutes(1), LONG));
            return PAID;
        });
    }

    @Test
    void aLongClaimIsRenewed() {
        PhasedRequests requests = requests(Takeover.RUN_AGAIN, Duration.ofSeconds(2));
        Reply reply = requests.call(KEY, REQUEST, claim -> {
            Await.until("it is renewed", () -> store.renewals() > 0);
            claim.ensureHeld();
            return PAID;
        });
        assertThat(reply.replayed()).isFalse();
    }

    @Test
    void whoIsTakenOverIsInterruptedAndTold() throws Exception {
        List<ClaimLostException> told = new CopyOnWriteArrayList<>();
        List<String> interrupted = new CopyOnWriteArrayList<>();
        PhasedRequests requests = requests(Takeover.RUN_AGAIN, Duration.ofSeconds(2));
        assertThatThrownBy(() -> requests.<SQLException>call(KEY, REQUEST, claim -> {
                    claim.onLoss(told::add);
                    takeOver();
                    waitForTheInterrupt(interrupted);
                    assertThat(claim.isHeld()).isFalse();
                    assertThatThrownBy(claim::ensureHeld).isInstanceOf(ClaimLostException.class);
                    return PAID;
                }))
                .isInstanceOf(ClaimLostException.class)
                .hasMessageContaining("k1");
        assertThat(interrupted).hasSize(1);
        Await.until("the listener is told", () -> told.size() == 1);
        assertThat(is("status = 'PENDING'")).isTrue();
    }

    private static void waitForTheInterrupt(List<String> interrupted) {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException lost) {
            interrupted.add("interrupted");
        }
    }

    /** And what came of it is kept, since nobody has taken it over. */
    @Test
    void aStoreThatCannotBeReachedLosesItInTime() {
        List<String> interrupted = new CopyOnWriteArrayList<>();
        PhasedRequests requests = requests(Takeover.RUN_AGAIN, BRIEF);
        Reply reply = requests.call(KEY, REQUEST, claim -> {
            store.isUnreachable = true;
            waitForTheInterrupt(interrupted);
            assertThat(claim.isHeld()).isFalse();
            store.isUnreachable = false;
            return PAID;
        });
        assertThat(reply.response()).isEqualTo(PAID);
        assertThat(interrupted).hasSize(1);
        assertThat(requests.call(KEY, REQUEST, claim -> PAID).replayed()).isTrue();
    }

    /** A renewal that is refused because of the completion is no loss. */
    @Test
    void whatIsBeingCompletedIsNotLost() {
        store.completesSlowly = true;
        List<ClaimLostException> told = new CopyOnWriteArrayList<>();
        requests(Takeover.RUN_AGAIN, BRIEF).call(KEY, REQUEST, claim -> {
            claim.onLoss(told::add);
            claim.complete(PAID);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            return PAID;
        });
        assertThat(told).isEmpty();
    }

    // Takeover

    @Test
    void whatMayBeRunAgainIsTakenOver() throws SQLException {
        begin(requests(Takeover.RUN_AGAIN));
        stale();
        assertThat(begin(requests(Takeover.RUN_AGAIN)).number()).isEqualTo(2);
    }

    @Test
    void whatIsToFailHasFailedForAll() throws SQLException {
        PhasedRequests requests = requests(Takeover.FAIL);
        begin(requests);
        stale();
        assertThatThrownBy(() -> requests.begin(KEY, REQUEST)).isInstanceOf(FailedForGoodException.class);
        assertThatThrownBy(() -> requests.begin(KEY, REQUEST)).isInstanceOf(FailedForGoodException.class);
    }

    @Test
    void whatIsLeftToAPersonIsSettledByHim() throws SQLException {
        PhasedRequests requests = requests(Takeover.ASK);
        begin(requests);
        stale();
        assertThatThrownBy(() -> requests.begin(KEY, REQUEST))
                .isInstanceOfSatisfying(AbandonedException.class, abandoned -> {
                    assertThat(store.stuck(10))
                            .singleElement()
                            .satisfies(stuck -> assertThat(stuck.claim()).isEqualTo(abandoned.claim()));
                    assertThat(store.complete(KEY, abandoned.claim(), PAID, LONG))
                            .isTrue();
                });
        assertThat(requests.begin(KEY, REQUEST)).isEqualTo(new Begun.Before<>(PAID));
        assertThat(store.stuck(10)).isEmpty();
    }

    /** What a zombie tries. */
    enum Settling {
        COMPLETE {
            @Override
            void of(Claim<StoredResponse> claim) {
                claim.complete(PAID);
            }
        },
        FAIL {
            @Override
            void of(Claim<StoredResponse> claim) {
                claim.fail("no");
            }
        },
        FORGET {
            @Override
            void of(Claim<StoredResponse> claim) {
                claim.forget();
            }
        };

        abstract void of(Claim<StoredResponse> claim);
    }

    @ParameterizedTest
    @EnumSource
    void aZombieIsRefused(Settling settling) throws SQLException {
        PhasedRequests requests = requests(Takeover.RUN_AGAIN);
        Claim<StoredResponse> zombie = begin(requests);
        stale();
        Claim<StoredResponse> next = begin(requests);
        assertThatThrownBy(() -> settling.of(zombie)).isInstanceOf(ClaimLostException.class);
        assertThat(zombie.isHeld()).isFalse();
        next.complete(PAID);
        assertThat(is("status = 'COMPLETED'")).isTrue();
    }

    @Test
    void whatTheWorkThrowsEndsTheClaimAtOnce() {
        PhasedRequests requests = requests(Takeover.RUN_AGAIN);
        assertThatThrownBy(() -> requests.call(KEY, REQUEST, claim -> {
                    throw new IllegalStateException("provider");
                }))
                .hasMessage("provider");
        assertThat(begin(requests).number()).isEqualTo(2);
    }

    @Test
    void whatIsForgottenIsNew() {
        PhasedRequests requests = requests(Takeover.RUN_AGAIN);
        begin(requests).forget();
        assertThat(begin(requests).number()).isOne();
    }

    @Test
    void aClaimWhoseAnswerWasLostIsAskedForAgain() {
        store.loseClaims(1);
        assertThat(begin(requests(Takeover.RUN_AGAIN)).number()).isOne();
    }

    @Test
    void aStoreThatDoesNotAnswerTwiceIsSaid() {
        store.loseClaims(2);
        assertThatThrownBy(() -> requests(Takeover.RUN_AGAIN).begin(KEY, REQUEST))
                .isInstanceOf(IdempotencyStoreException.class);
    }

    // Jobs

    @Test
    void aJobsCheckIsAskedAfterATakeoverOnly() {
        PhasedJobs jobs = jobs();
        assertThatThrownBy(() -> jobs.run(JOB, REQUEST, PhasedRequestsPostgresTest::nobodyAsks, claim -> {
                    throw new IllegalStateException("died");
                }))
                .hasMessage("died");
        assertThat(jobs.run(JOB, REQUEST, () -> true, claim -> {
                    throw new IllegalStateException("it was done");
                }))
                .isFalse();
        assertThat(jobs.begin(JOB, REQUEST)).isEmpty();
    }

    private static boolean nobodyAsks() {
        throw new IllegalStateException("there was nobody before");
    }

    @Test
    void aJobThatWasNotDoneIsDoneAfterATakeover() {
        PhasedJobs jobs = jobs();
        jobs.begin(JOB, REQUEST).orElseThrow().close();
        assertThat(jobs.run(JOB, REQUEST, () -> false, claim -> {})).isTrue();
        assertThat(jobs.run(JOB, REQUEST, PhasedRequestsPostgresTest::nobodyAsks, claim -> {}))
                .isFalse();
    }

    // Purge

    @Test
    void whatIsPendingOrLeftToAPersonIsNotPurged() throws SQLException {
        RequestStore postgres = RequestStore.inPostgres(database.dataSource());
        begin(requests(Takeover.RUN_AGAIN));
        execute("UPDATE cerrojo.api_request SET expires_at = '2000-01-01'");
        assertThat(postgres.purge(10)).isZero();
        stale();
        assertThat(postgres.purge(10)).isOne();
        begin(requests(Takeover.ASK));
        stale();
        assertThat(postgres.purge(10)).isZero();
    }

    /** Else a claim that was renewed for longer than its retention would be forgotten as soon as its holder dies. */
    @Test
    void theRetentionOfWhatIsPendingCountsFromTheLastSignOfLife() throws SQLException {
        RequestStore postgres = RequestStore.inPostgres(database.dataSource());
        ClaimToken token = ClaimToken.random();
        postgres.claim(KEY, REQUEST, token, new ClaimTerms(BRIEF, LONG, Takeover.RUN_AGAIN));
        execute("UPDATE cerrojo.api_request SET expires_at = expires_at - interval '2 hours',"
                + " claimed_until = claimed_until - interval '2 hours'");
        assertThat(postgres.renew(KEY, token, BRIEF)).isTrue();
        assertThat(is("expires_at - claimed_until BETWEEN interval '59 minutes' AND interval '61 minutes'")).isTrue();
        assertThat(is("expires_at > clock_timestamp()")).isTrue();
    }
}

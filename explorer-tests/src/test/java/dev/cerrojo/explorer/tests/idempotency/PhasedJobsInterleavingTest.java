package dev.cerrojo.explorer.tests.idempotency;

import static dev.cerrojo.explorer.tests.idempotency.Ledger.allHold;
import static dev.cerrojo.explorer.tests.idempotency.Ledger.isViolated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.junit.InterleavingTest;
import dev.cerrojo.idempotency.FailedForGoodException;
import dev.cerrojo.idempotency.IdempotencySettings;
import dev.cerrojo.idempotency.InProgressException;
import dev.cerrojo.idempotency.JobKey;
import dev.cerrojo.idempotency.JobStore;
import dev.cerrojo.idempotency.PhasedJobs;
import dev.cerrojo.idempotency.PhasedJobs.DoneCheck;
import dev.cerrojo.idempotency.RequestHash;
import dev.cerrojo.idempotency.Takeover;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;

/** Jobs in phases, whose worker crashes at any step and is started again when its claim's time is over. */
class PhasedJobsInterleavingTest {
    private static final JobKey KEY = JobKey.of("charge", "order/17");
    private static final RequestHash PAYLOAD = RequestHash.ofText("5");
    /** The time of the worker's claim, which died, is over. */
    private static final String STALE = "UPDATE cerrojo.job SET claimed_until = '2000-01-01' WHERE status = 'PENDING'";

    private final Ledger ledger = new Ledger();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final AtomicInteger starts = new AtomicInteger();

    PhasedJobsInterleavingTest() throws SQLException {}

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        ledger.close();
    }

    private PhasedJobs jobs(DataSource dataSource, Takeover takeover) {
        PhasedJobs jobs = PhasedJobs.over(
                JobStore.inPostgres(dataSource),
                IdempotencySettings.builder()
                        .claimFor(Duration.ofHours(2))
                        .takeover(takeover)
                        .build());
        opened.add(jobs);
        return jobs;
    }

    private static boolean happened(DataSource dataSource) throws SQLException {
        return Ledger.number(dataSource, "SELECT count(*) FROM effect") > 0;
    }

    /** What a worker's check is, over the data source of the race. */
    private interface Check {
        boolean isDone(DataSource dataSource) throws SQLException;
    }

    private Interleavings worker(Interleavings race, Takeover takeover, Check check) {
        DataSource gated = ledger.over(race, Isolation.READ_COMMITTED);
        PhasedJobs jobs = jobs(gated, takeover);
        DoneCheck<SQLException> isDone = () -> check.isDone(gated);
        return race.beforeEach(() -> starts.set(0))
                .session("the worker", () -> {
                    if (starts.incrementAndGet() > 1) {
                        Ledger.update(gated, STALE);
                    }
                    boolean unused = jobs.run(
                            KEY, PAYLOAD, isDone, claim -> Ledger.update(gated, Ledger.EFFECT.formatted("worker")));
                })
                .clientRetries();
    }

    private void isDone() throws SQLException {
        assertThat(ledger.number("SELECT count(*) FROM cerrojo.job WHERE status = 'COMPLETED'"))
                .isOne();
    }

    @InterleavingTest
    void aCrashAtAnyStepAndATakeover(Interleavings race) {
        allHold(worker(race, Takeover.RUN_AGAIN, PhasedJobsInterleavingTest::happened)
                .faults(1, 0)
                .holds("one effect", Ledger.ONE_EFFECT)
                .holds("it is marked", this::isDone));
    }

    @InterleavingTest
    void twoCrashesAtAnySteps(Interleavings race) {
        allHold(worker(race, Takeover.RUN_AGAIN, PhasedJobsInterleavingTest::happened)
                .faults(2, 0)
                .holds("one effect", Ledger.ONE_EFFECT)
                .holds("it is marked", this::isDone));
    }

    @InterleavingTest
    void aLostAnswerAtAnyStep(Interleavings race) {
        allHold(worker(race, Takeover.RUN_AGAIN, PhasedJobsInterleavingTest::happened)
                .faults(0, 1)
                .holds("one effect", Ledger.ONE_EFFECT)
                .holds("it is marked", this::isDone));
    }

    /** The control: who takes over does not ask whether it was done. */
    @InterleavingTest(maxSchedules = 80)
    void withoutACheckItIsDoneTwice(Interleavings race) {
        isViolated(worker(race, Takeover.RUN_AGAIN, dataSource -> false)
                .faults(1, 0)
                .holds("one effect", Ledger.ONE_EFFECT));
    }

    @InterleavingTest
    void givenUpItIsDoneOnceAtMost(Interleavings race) {
        allHold(worker(race, Takeover.FAIL, PhasedJobsInterleavingTest::happened)
                .faults(1, 0)
                .mayRefuse(FailedForGoodException.class)
                .holds("one effect at most", "SELECT count(*) FROM effect HAVING count(*) > 1"));
    }

    /** Whoever crashes, the other does it, or is told that somebody is at it. */
    @InterleavingTest
    void aCrashBesideAnother(Interleavings race) {
        AtomicInteger effects = new AtomicInteger();
        PhasedJobs jobs = jobs(ledger.over(race, Isolation.READ_COMMITTED), Takeover.RUN_AGAIN);
        for (String worker : List.of("a worker", "another")) {
            race.session(worker, () -> {
                boolean unused = jobs.run(KEY, PAYLOAD, () -> effects.get() > 0, claim -> effects.incrementAndGet());
            });
        }
        allHold(race.beforeEach(() -> effects.set(0))
                .mayRefuse(InProgressException.class)
                .faults(1, 0)
                .holds("one effect at most", () -> assertThat(effects).hasValueLessThanOrEqualTo(1))
                .holds("one effect, where it is marked", () -> assertThat(effects.get())
                        .isGreaterThanOrEqualTo(
                                ledger.number("SELECT count(*) FROM cerrojo.job WHERE status = 'COMPLETED'"))));
    }
}

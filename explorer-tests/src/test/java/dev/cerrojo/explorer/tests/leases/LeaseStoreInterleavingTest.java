package dev.cerrojo.explorer.tests.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.junit.InterleavingTest;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.lease.LeaseAttempt;
import dev.cerrojo.lease.LeaseClaim;
import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.lease.LeaseStoreException;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Who acquires, renews and releases at once, in every order, with expiry, crashes and lost answers anywhere. */
class LeaseStoreInterleavingTest {
    private static final int SIZE = 5;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final String ARTICLE = "article/1";
    private static final LeaseClaim ANA = new LeaseClaim(ARTICLE, List.of(), "a".repeat(32));
    private static final LeaseClaim BEN = new LeaseClaim(ARTICLE, List.of(), "b".repeat(32));
    private static final LeaseClaim SEO = new LeaseClaim(ARTICLE, List.of("seo"), "c".repeat(32));
    private static final LeaseClaim BODY = new LeaseClaim(ARTICLE, List.of("body"), "d".repeat(32));

    private final TestDatabase database = TestDatabase.create();
    private final HikariDataSource setup = Pools.hikari(database, 2);
    private final Room room = new Room();
    private HikariDataSource pool = setup;

    @BeforeEach
    void tables() throws SQLException {
        Schema.over(setup).create();
        try (LeaseStore store = LeaseStore.inPostgres(setup)) {
            store.tryAcquire(SEO, HOUR);
            store.release(SEO);
        }
    }

    @AfterEach
    void close() {
        pool.close();
        setup.close();
        database.close();
    }

    private DataSource gated(Interleavings race, Isolation level) {
        pool = Pools.hikari(database, SIZE, level);
        race.beforeEach(room::clear).holds("nobody holds what another holds", room::nobodyClashed);
        return race.over(pool).dataSource();
    }

    private LeaseStore store(Interleavings race, Isolation level) {
        return LeaseStore.inPostgres(gated(race, level));
    }

    private void visit(LeaseStore store, LeaseClaim claim) {
        if (store.tryAcquire(claim, HOUR) instanceof LeaseAttempt.Granted) {
            room.enter(claim);
            room.leave(claim);
            store.release(claim);
        }
    }

    private Interleavings visitors(Interleavings race, Isolation level, LeaseClaim... claims) {
        LeaseStore store = store(race, level);
        for (LeaseClaim claim : claims) {
            race.session(claim.owner().substring(0, 1) + " visits", () -> visit(store, claim));
        }
        return race.neverFails().neverDeadlocks();
    }

    @InterleavingTest
    void twoVisitorsAtReadCommitted(Interleavings race) {
        visitors(race, Isolation.READ_COMMITTED, ANA, BEN);
    }

    @InterleavingTest
    void twoVisitorsAtRepeatableRead(Interleavings race) {
        visitors(race, Isolation.REPEATABLE_READ, ANA, BEN);
    }

    @InterleavingTest
    void twoVisitorsAtSerializable(Interleavings race) {
        visitors(race, Isolation.SERIALIZABLE, ANA, BEN);
    }

    @InterleavingTest
    void twoGroupsAreBothHad(Interleavings race) {
        visitors(race, Isolation.READ_COMMITTED, SEO, BODY)
                .holds("both", () -> assertThat(room.entered()).containsExactlyInAnyOrder(SEO, BODY));
    }

    @InterleavingTest
    void aGroupAndTheWhole(Interleavings race) {
        visitors(race, Isolation.READ_COMMITTED, SEO, ANA)
                .holds("one at least", () -> assertThat(room.entered()).isNotEmpty());
    }

    /** One COMMIT lets two go on, and which of them comes first cannot be chosen: never complete, so some will do. */
    @InterleavingTest(maxSchedules = 50)
    void twoGroupsAndTheWhole(Interleavings race) {
        isNotViolated(visitors(race, Isolation.READ_COMMITTED, SEO, BODY, ANA));
    }

    private static void isNotViolated(Interleavings race) {
        Findings findings = race.explore();
        assertThat(findings.verdict()).as(findings.text()).isNotEqualTo(Verdict.VIOLATED);
    }

    private static void isViolated(Interleavings race) {
        Findings findings = race.explore();
        assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.VIOLATED);
    }

    // Renewal

    /** Ana's time is over at once; she renews nevertheless. */
    private Interleavings lateRenewal(Interleavings race, Isolation level, Change renewal) {
        DataSource dataSource = gated(race, level);
        LeaseStore store = LeaseStore.inPostgres(dataSource);
        return race.session("Ana renews late", () -> {
                    if (store.tryAcquire(ANA, HOUR) instanceof LeaseAttempt.Granted) {
                        room.enter(ANA);
                        Pools.execute(dataSource, Expiry.SQL);
                        room.leave(ANA);
                        if (renewal.make(dataSource, ANA)) {
                            room.enter(ANA);
                        }
                    }
                })
                .session("Ben stays", () -> {
                    if (store.tryAcquire(BEN, HOUR) instanceof LeaseAttempt.Granted) {
                        room.enter(BEN);
                    }
                });
    }

    /** What a holder does with its claim, rightly or not; tells whether it was done. */
    private interface Change {
        boolean make(DataSource dataSource, LeaseClaim claim) throws SQLException;
    }

    private static boolean renew(DataSource dataSource, LeaseClaim claim) {
        return LeaseStore.inPostgres(dataSource).renew(claim, HOUR).isPresent();
    }

    @InterleavingTest
    void aLateRenewalStealsNothing(Interleavings race) {
        lateRenewal(race, Isolation.READ_COMMITTED, LeaseStoreInterleavingTest::renew)
                .neverFails();
    }

    @InterleavingTest
    void aLateRenewalStealsNothingAtRepeatableRead(Interleavings race) {
        lateRenewal(race, Isolation.REPEATABLE_READ, LeaseStoreInterleavingTest::renew)
                .neverFails();
    }

    /** The control: a renewal that puts itself back in. */
    @InterleavingTest(maxSchedules = 80)
    void aRenewalThatRecreatesSteals(Interleavings race) {
        isViolated(lateRenewal(race, Isolation.READ_COMMITTED, (dataSource, claim) -> {
            Pools.execute(
                    dataSource,
                    "UPDATE cerrojo.lease SET holds = ARRAY[ROW('', '%s'::uuid, token, clock_timestamp() + interval '1 hour')::cerrojo.lease_hold]"
                            .formatted(claim.owner()));
            return true;
        }));
    }

    // Release

    /** Ana's time is over at once; she releases nevertheless, what is Ben's or Cleo's by then. */
    private Interleavings lateRelease(Interleavings race, Change release) {
        DataSource dataSource = gated(race, Isolation.READ_COMMITTED);
        LeaseStore store = LeaseStore.inPostgres(dataSource);
        return race.session("Ana releases late", () -> {
                    if (store.tryAcquire(ANA, HOUR) instanceof LeaseAttempt.Granted) {
                        Pools.execute(dataSource, Expiry.SQL);
                        boolean unused = release.make(dataSource, ANA);
                    }
                    if (store.tryAcquire(SEO, HOUR) instanceof LeaseAttempt.Granted) {
                        room.enter(SEO);
                    }
                })
                .session("Ben stays", () -> {
                    if (store.tryAcquire(BEN, HOUR) instanceof LeaseAttempt.Granted) {
                        room.enter(BEN);
                    }
                });
    }

    @InterleavingTest
    void aLateReleaseFreesNothing(Interleavings race) {
        lateRelease(
                        race,
                        (dataSource, claim) -> LeaseStore.inPostgres(dataSource).release(claim))
                .neverFails();
    }

    /** The control: a release that does not compare the owner. */
    @InterleavingTest(maxSchedules = 80)
    void aReleaseThatDoesNotCompareFreesAnothersLease(Interleavings race) {
        isViolated(lateRelease(race, (dataSource, claim) -> {
            Pools.execute(dataSource, "UPDATE cerrojo.lease SET holds = '{}'");
            return true;
        }));
    }

    // Three

    private Interleavings three(Interleavings race, Change release) {
        DataSource dataSource = gated(race, Isolation.READ_COMMITTED);
        LeaseStore store = LeaseStore.inPostgres(dataSource);
        race.session("Ana releases late", () -> {
            if (store.tryAcquire(ANA, HOUR) instanceof LeaseAttempt.Granted) {
                Pools.execute(dataSource, Expiry.SQL);
                boolean unused = release.make(dataSource, ANA);
            }
        });
        for (LeaseClaim claim : List.of(BEN, SEO)) {
            race.session(claim.owner().substring(0, 1) + " stays", () -> {
                if (store.tryAcquire(claim, HOUR) instanceof LeaseAttempt.Granted) {
                    room.enter(claim);
                }
            });
        }
        return race;
    }

    @InterleavingTest(maxSchedules = 50)
    void ofThreeNobodyIsDisturbed(Interleavings race) {
        isNotViolated(three(
                race, (dataSource, claim) -> LeaseStore.inPostgres(dataSource).release(claim)));
    }

    /** The control. */
    @InterleavingTest(maxSchedules = 150)
    void ofThreeOneIsDisturbedByAReleaseThatDoesNotCompare(Interleavings race) {
        isViolated(three(race, (dataSource, claim) -> {
            Pools.execute(dataSource, "UPDATE cerrojo.lease SET holds = '{}'");
            return true;
        }));
    }

    // Faults

    /** Who does not know whether it was granted asks again as the same owner. */
    @InterleavingTest
    void aLostAnswerIsAskedForAgain(Interleavings race) {
        LeaseStore store = store(race, Isolation.READ_COMMITTED);
        for (LeaseClaim claim : List.of(ANA, BEN)) {
            race.session(claim.owner().substring(0, 1) + " stays", () -> {
                if (acquiredInTheEnd(store, claim)) {
                    room.enter(claim);
                }
            });
        }
        race.faults(0, 1).holds("one has it", () -> assertThat(room.entered()).hasSize(1));
    }

    private static boolean acquiredInTheEnd(LeaseStore store, LeaseClaim claim) {
        try {
            return store.tryAcquire(claim, HOUR) instanceof LeaseAttempt.Granted;
        } catch (LeaseStoreException lostAnswer) {
            return store.tryAcquire(claim, HOUR) instanceof LeaseAttempt.Granted;
        }
    }

    /** Whatever a crash leaves half done: who comes later does not get in beside who is in. */
    @InterleavingTest
    void aCrashLetsNobodyInBesideAnother(Interleavings race) {
        visitors(race, Isolation.READ_COMMITTED, ANA, BEN).faults(1, 0);
    }
}

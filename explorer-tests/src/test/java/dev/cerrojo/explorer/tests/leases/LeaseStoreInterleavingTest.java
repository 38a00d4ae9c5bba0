package dev.cerrojo.explorer.tests.leases;

import static dev.cerrojo.explorer.tests.leases.Proofs.holds;
import static dev.cerrojo.explorer.tests.leases.Proofs.holdsUnlessWakeUpsCannotBeRepeated;
import static dev.cerrojo.explorer.tests.leases.Proofs.isNotViolatedButUndecided;
import static dev.cerrojo.explorer.tests.leases.Proofs.isViolated;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.junit.InterleavingTest;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.lease.LeaseAttempt;
import dev.cerrojo.lease.LeaseClaim;
import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.lease.LeaseStoreException;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Isolation;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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

    /** Whoever has it. */
    private static final String TAKE =
            "UPDATE cerrojo.lease SET holds = ARRAY[ROW('', '%s'::uuid, token, clock_timestamp() + interval '1"
                    + " hour')::cerrojo.lease_hold]";

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
        holds(visitors(race, Isolation.READ_COMMITTED, ANA, BEN));
    }

    @InterleavingTest
    void twoVisitorsAtRepeatableRead(Interleavings race) {
        holds(visitors(race, Isolation.REPEATABLE_READ, ANA, BEN));
    }

    @InterleavingTest
    void twoVisitorsAtSerializable(Interleavings race) {
        holds(visitors(race, Isolation.SERIALIZABLE, ANA, BEN));
    }

    @InterleavingTest
    void twoGroupsAreBothHad(Interleavings race) {
        holds(visitors(race, Isolation.READ_COMMITTED, SEO, BODY)
                .holds("both", () -> assertThat(room.entered()).containsExactlyInAnyOrder(SEO, BODY)));
    }

    @InterleavingTest
    void aGroupAndTheWhole(Interleavings race) {
        holds(visitors(race, Isolation.READ_COMMITTED, SEO, ANA)
                .holds("one at least", () -> assertThat(room.entered()).isNotEmpty()));
    }

    /** The control: who looks first and then takes. */
    @InterleavingTest
    void whoLooksBeforeTakingIsInBesideAnother(Interleavings race) {
        DataSource dataSource = gated(race, Isolation.READ_COMMITTED);
        for (LeaseClaim claim : List.of(ANA, BEN)) {
            race.session(claim.owner().substring(0, 1) + " looks and takes", () -> {
                if (isFree(dataSource)) {
                    Pools.execute(dataSource, TAKE.formatted(claim.owner()));
                    room.enter(claim);
                }
            });
        }
        isViolated(race);
    }

    private static boolean isFree(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet free = statement.executeQuery("SELECT FROM cerrojo.lease WHERE holds = '{}'")) {
            return free.next();
        }
    }

    /** One COMMIT lets two go on, and which of them comes first cannot be chosen: never complete, so some will do. */
    @InterleavingTest(maxSchedules = 50)
    void twoGroupsAndTheWhole(Interleavings race) {
        isNotViolatedButUndecided(
                visitors(race, Isolation.READ_COMMITTED, SEO, BODY, ANA), "stopped after 50 schedules");
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
        holds(lateRenewal(race, Isolation.READ_COMMITTED, LeaseStoreInterleavingTest::renew)
                .neverFails());
    }

    @InterleavingTest
    void aLateRenewalStealsNothingAtRepeatableRead(Interleavings race) {
        holds(lateRenewal(race, Isolation.REPEATABLE_READ, LeaseStoreInterleavingTest::renew)
                .neverFails());
    }

    /** The control: a renewal that puts itself back in. */
    @InterleavingTest(maxSchedules = 80)
    void aRenewalThatRecreatesSteals(Interleavings race) {
        isViolated(lateRenewal(race, Isolation.READ_COMMITTED, (dataSource, claim) -> {
            Pools.execute(dataSource, TAKE.formatted(claim.owner()));
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
        holds(lateRelease(
                        race,
                        (dataSource, claim) -> LeaseStore.inPostgres(dataSource).release(claim))
                .neverFails());
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

    private void stays(Interleavings race, LeaseStore store, LeaseClaim claim) {
        race.session(claim.owner().substring(0, 1) + " stays", () -> {
            if (store.tryAcquire(claim, HOUR) instanceof LeaseAttempt.Granted) {
                room.enter(claim);
            }
        });
    }

    @InterleavingTest
    void threeWhoStay(Interleavings race) {
        LeaseStore store = store(race, Isolation.READ_COMMITTED);
        List.of(SEO, BODY, ANA).forEach(claim -> stays(race, store, claim));
        holdsUnlessWakeUpsCannotBeRepeated(
                race.holds("one at least", () -> assertThat(room.entered()).isNotEmpty()));
    }

    /** Ana's time was over before it began. */
    private Interleavings twoBesideWhoReleasesLate(Interleavings race, Change release) throws SQLException {
        try (LeaseStore before = LeaseStore.inPostgres(setup)) {
            before.tryAcquire(ANA, HOUR);
        }
        Pools.execute(setup, Expiry.SQL);
        DataSource dataSource = gated(race, Isolation.READ_COMMITTED);
        race.session("Ana releases late", () -> {
            boolean unused = release.make(dataSource, ANA);
        });
        LeaseStore store = LeaseStore.inPostgres(dataSource);
        List.of(BEN, SEO).forEach(claim -> stays(race, store, claim));
        return race.holds("one of them", () -> assertThat(room.entered()).hasSize(1));
    }

    @InterleavingTest
    void aLateReleaseFreesNothingOfTwo(Interleavings race) throws SQLException {
        holdsUnlessWakeUpsCannotBeRepeated(twoBesideWhoReleasesLate(
                race, (dataSource, claim) -> LeaseStore.inPostgres(dataSource).release(claim)));
    }

    /** The control. */
    @InterleavingTest
    void aReleaseThatDoesNotCompareFreesOneOfTwo(Interleavings race) throws SQLException {
        isViolated(twoBesideWhoReleasesLate(race, (dataSource, claim) -> {
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
                if (acquiredInTheEnd(store, claim, claim)) {
                    room.enter(claim);
                }
            });
        }
        holds(race.faults(0, 1)
                .holds("one has it", () -> assertThat(room.entered()).hasSize(1)));
    }

    /** The control: who asks again as somebody else is refused by itself. */
    @InterleavingTest
    void aLostAnswerThatIsAskedForAsAnotherKeepsEverybodyOut(Interleavings race) {
        LeaseStore store = store(race, Isolation.READ_COMMITTED);
        race.session("Ana stays, as Ben perhaps", () -> {
            if (acquiredInTheEnd(store, ANA, BEN)) {
                room.enter(ANA);
            }
        });
        isViolated(race.faults(0, 1)
                .holds("one has it", () -> assertThat(room.entered()).hasSize(1)));
    }

    private static boolean acquiredInTheEnd(LeaseStore store, LeaseClaim first, LeaseClaim second) {
        try {
            return store.tryAcquire(first, HOUR) instanceof LeaseAttempt.Granted;
        } catch (LeaseStoreException lostAnswer) {
            return store.tryAcquire(second, HOUR) instanceof LeaseAttempt.Granted;
        }
    }

    /** Whatever a crash leaves half done: who comes later does not get in beside who is in. */
    @InterleavingTest
    void aCrashLetsNobodyInBesideAnother(Interleavings race) {
        holds(visitors(race, Isolation.READ_COMMITTED, ANA, BEN).faults(1, 0));
    }
}

package dev.cerrojo.explorer.tests.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
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
import java.util.function.BiConsumer;
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
        visit(store, claim, (it, lease) -> it.release(lease));
    }

    private void visit(LeaseStore store, LeaseClaim claim, BiConsumer<LeaseStore, LeaseClaim> release) {
        if (store.tryAcquire(claim, HOUR) instanceof LeaseAttempt.Granted) {
            room.enter(claim);
            room.leave(claim);
            release.accept(store, claim);
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

    @InterleavingTest
    void twoGroupsAndTheWhole(Interleavings race) {
        visitors(race, Isolation.READ_COMMITTED, SEO, BODY, ANA);
    }
}

package dev.cerrojo.leasecontract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.lease.Fences;
import dev.cerrojo.lease.Lease;
import dev.cerrojo.lease.LeaseLostException;
import dev.cerrojo.lease.LeaseScope;
import dev.cerrojo.lease.LeaseSettings;
import dev.cerrojo.lease.Leases;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.Transactions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Leases of a store that may lose its memory, fenced in PostgreSQL. */
class FencesPostgresTest {
    private static final LeaseScope ARTICLE = LeaseScope.of("article/42");
    private static final LeaseScope SEO = LeaseScope.of("article/42", "seo");
    private static final Logger LOG = Logger.getLogger(Leases.class.getName());

    private final TestDatabase database = TestDatabase.create();
    private final InMemoryLeaseStore store = new InMemoryLeaseStore();
    private HikariDataSource pool;
    private Leases leases;
    private Transactions transactions;

    @BeforeEach
    void tables() throws SQLException {
        LOG.setLevel(Level.OFF);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(0);
        pool = new HikariDataSource(config);
        Schema.over(pool).create();
        transactions = Transactions.over(pool);
        leases = Leases.over(
                store, LeaseSettings.builder().waitUpTo(Duration.ofSeconds(20)).build(), Fences.over(pool));
        transactions.run(tx -> execute(tx, "CREATE TABLE writes (who text)"));
    }

    @AfterEach
    void close() {
        leases.close();
        pool.close();
        database.close();
        LOG.setLevel(null);
    }

    private static void execute(Transaction tx, String sql) throws SQLException {
        try (Statement statement = tx.connection().createStatement()) {
            statement.execute(sql);
        }
    }

    private static void write(Transaction tx, String who) throws SQLException {
        execute(tx, "INSERT INTO writes VALUES ('" + who + "')");
    }

    private List<String> rows(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(result.getString(1));
            }
            return rows;
        }
    }

    private void isFenced(Lease lease) {
        LeaseLostException lost = catchThrowableOfType(
                LeaseLostException.class, () -> lease.runFenced(transactions, tx -> write(tx, "stale")));
        assertThat(lost.reason()).isEqualTo(LeaseLostException.Reason.FENCED);
    }

    @Test
    void aStoreThatForgetsLetsNoStaleHolderCommit() throws SQLException {
        Lease stale = leases.acquire(ARTICLE);
        stale.runFenced(transactions, tx -> write(tx, "first"));
        store.forget();

        Lease next = leases.acquire(ARTICLE);

        assertThat(next.token()).isGreaterThan(stale.token());
        next.runFenced(transactions, tx -> write(tx, "next"));
        isFenced(stale);
        store.forget();
        assertThat(leases.acquire(ARTICLE).token()).isGreaterThan(next.token());
        isFenced(next);
        assertThat(rows("SELECT who FROM writes")).containsExactly("first", "next");
    }

    /** The control: tokens of the store's own fall back, below those of before. */
    @Test
    void tokensOfTheStoreFallBack() {
        try (Leases unfenced = Leases.over(store, LeaseSettings.defaults())) {
            Lease stale = unfenced.acquire(ARTICLE);
            store.forget();

            assertThat(unfenced.acquire(ARTICLE).token()).isEqualTo(stale.token());
            assertThatThrownBy(() -> stale.runFenced(transactions, tx -> write(tx, "stale")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the leases of this store are not fenced: give Leases.over the Fences");
        }
    }

    @Test
    void groupsAndTheWholeFenceEachOther() throws SQLException {
        Lease seo = leases.acquire(SEO);
        Lease body = leases.acquire(LeaseScope.of("article/42", "body"));
        seo.runFenced(transactions, outer -> body.runFenced(transactions, tx -> write(tx, "both")));
        store.forget();
        Lease whole = leases.acquire(ARTICLE);
        isFenced(seo);
        isFenced(body);
        store.forget();
        leases.acquire(SEO).runFenced(transactions, tx -> write(tx, "seo"));
        isFenced(whole);
        assertThat(rows("SELECT who FROM writes")).containsExactly("both", "seo");
    }

    @Test
    void anAcquisitionWaitsForTheFormerHoldersTransaction() throws Exception {
        Lease late = leases.acquire(SEO);
        CompletableFuture<Lease> next = new CompletableFuture<>();

        late.runFenced(transactions, tx -> {
            store.forget();
            assertThat(leases.tryAcquire(ARTICLE)).isEmpty();
            next.completeAsync(() -> leases.acquire(ARTICLE));
            write(tx, "late");
        });

        next.get(20, TimeUnit.SECONDS).runFenced(transactions, tx -> write(tx, "next"));
        isFenced(late);
        assertThat(rows("SELECT who FROM writes")).containsExactly("late", "next");
    }

    @Test
    void whatIsReleasedLeavesNoRows() throws Exception {
        for (int i = 0; i < 3; i++) {
            leases.acquire(SEO, LeaseScope.of("other/" + i)).release();
        }
        Lease held = leases.acquire(SEO);

        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
                rows("SELECT entity FROM cerrojo.fence").size() > 2; ) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.sleep(5);
        }
        held.runFenced(transactions, tx -> write(tx, "held"));
    }

    @Test
    void whatHasLongBeenLeftIsPurgedAndPassedByNobody() throws SQLException {
        Lease left = leases.acquire(SEO);
        transactions.run(tx -> execute(tx, "UPDATE cerrojo.fence SET kept_until = kept_until - interval '25 hours'"));

        leases.close();

        assertThat(left.isHeld()).isFalse();
        assertThat(rows("SELECT field_group FROM cerrojo.fence")).isSubsetOf("");
    }

    /** The row of the entity goes last. */
    @Test
    void purgingKeepsTheRowThatGroupsMeetAt() throws SQLException {
        Lease lease = leases.acquire(SEO);
        transactions.run(tx -> execute(
                tx, "UPDATE cerrojo.fence SET kept_until = kept_until - interval '25 hours' WHERE field_group = ''"));
        try (Leases other = Leases.over(new InMemoryLeaseStore(), LeaseSettings.defaults(), Fences.over(pool))) {
            other.acquire(LeaseScope.of("other"));
        }

        assertThat(rows("SELECT field_group FROM cerrojo.fence WHERE entity = 'article/42' ORDER BY 1"))
                .containsExactly("", "seo");
        lease.runFenced(transactions, tx -> write(tx, "kept"));
    }
}

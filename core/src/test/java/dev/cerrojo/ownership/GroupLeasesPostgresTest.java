package dev.cerrojo.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.Actor;
import dev.cerrojo.lease.Lease;
import dev.cerrojo.lease.LeaseScope;
import dev.cerrojo.lease.LeaseSettings;
import dev.cerrojo.lease.Leases;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Transactions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Leases on the groups of an ownership: the same group of a row one after another, all else at once. */
class GroupLeasesPostgresTest {
    private static final Ownership ARTICLES = Ownership.of("article", "id")
            .systemOwned("thumbnail", "keywords")
            .shared("views", Merge.delta())
            .group("thumbnail", "thumbnail")
            .group("seo", "keywords")
            .build();
    private static final OwnedTable TABLE = OwnedTable.of(ARTICLES);

    private static TestDatabase database;
    private static HikariDataSource pool;
    private static Transactions transactions;

    private final ExecutorService workers = Executors.newFixedThreadPool(4);
    private Leases leases;
    private Session session;

    @BeforeAll
    static void create() throws SQLException {
        database = TestDatabase.create();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setMaximumPoolSize(10);
        pool = new HikariDataSource(config);
        transactions = Transactions.over(pool);
        Schema.over(pool).create();
    }

    @AfterAll
    static void drop() {
        pool.close();
        database.close();
    }

    @BeforeEach
    void articles() throws SQLException {
        session = Session.of(database);
        session.run("""
                DROP TABLE IF EXISTS article;
                CREATE TABLE article (id int PRIMARY KEY, thumbnail text, keywords text, views int NOT NULL DEFAULT 0);
                INSERT INTO article VALUES (1), (2)""");
        leases = Leases.over(
                pool,
                LeaseSettings.builder()
                        .leaseDuration(Duration.ofMinutes(10))
                        .waitUpTo(Duration.ofSeconds(30))
                        .build());
    }

    @AfterEach
    void close() throws SQLException {
        leases.close();
        workers.shutdownNow();
        session.close();
    }

    private static LeaseScope scope(FieldScope scope) {
        return new LeaseScope(scope.entity(), scope.group());
    }

    private static LeaseScope group(int id, String group) {
        return scope(ARTICLES.scope(id, group));
    }

    /** Holds a lease until another holds its own: only possible when neither waits for the other. */
    private CompletableFuture<Void> meets(LeaseScope scope, CyclicBarrier together, int id, String field) {
        return CompletableFuture.runAsync(
                () -> {
                    try (Lease lease = leases.acquire(scope)) {
                        together.await(20, TimeUnit.SECONDS);
                        write(lease, id, Write.by(Actor.SYSTEM).set(field, scope.toString()));
                    } catch (Exception e) {
                        throw new AssertionError(scope + " was not held beside the other", e);
                    }
                },
                workers);
    }

    private static void write(Lease lease, int id, Write write) {
        lease.runFenced(transactions, tx -> TABLE.write(tx, id, write));
    }

    private void meet(LeaseScope one, LeaseScope other, List<Integer> ids, List<String> fields) throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        CompletableFuture.allOf(
                        meets(one, together, ids.get(0), fields.get(0)),
                        meets(other, together, ids.get(1), fields.get(1)))
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void differentGroupsOfARowAreHeldAtOnce() throws Exception {
        meet(group(1, "thumbnail"), group(1, "seo"), List.of(1, 1), List.of("thumbnail", "keywords"));

        assertThat(session.value("SELECT thumbnail, keywords FROM article WHERE id = 1"))
                .isEqualTo("article/1 [thumbnail]|article/1 [seo]");
    }

    @Test
    void theSameGroupOfDifferentRowsIsHeldAtOnce() throws Exception {
        meet(group(1, "seo"), group(2, "seo"), List.of(1, 2), List.of("keywords", "keywords"));

        assertThat(session.rows("SELECT keywords FROM article ORDER BY id"))
                .containsExactly("article/1 [seo]", "article/2 [seo]");
    }

    @Test
    void theSameGroupOfARowIsHeldByOneAfterAnother() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Runnable work = () -> {
            try (Lease lease = leases.acquire(group(1, "seo"))) {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                write(lease, 1, Write.by(Actor.SYSTEM).merge("views", 0, 1));
                inside.decrementAndGet();
            }
        };

        CompletableFuture.allOf(IntStream.range(0, 12)
                        .mapToObj(any -> CompletableFuture.runAsync(work, workers))
                        .toArray(CompletableFuture<?>[]::new))
                .get(60, TimeUnit.SECONDS);

        assertThat(most).hasValue(1);
        assertThat(session.value("SELECT views FROM article WHERE id = 1")).isEqualTo("12");
    }

    @Test
    void aHeldGroupIsRefusedAndTheWholeRowExcludesItsGroups() {
        try (Lease seo = leases.acquire(group(1, "seo"))) {
            assertThat(leases.tryAcquire(group(1, "seo"))).isEmpty();
            assertThat(leases.tryAcquire(scope(ARTICLES.scope(1)))).isEmpty();
            seo.ensureHeld();
        }
        try (Lease whole = leases.acquire(scope(ARTICLES.scope(1)))) {
            assertThat(leases.tryAcquire(group(1, "thumbnail"))).isEmpty();
            whole.ensureHeld();
            leases.tryAcquire(group(2, "thumbnail")).orElseThrow().close();
        }
    }

    /** Fields in no group are written under a lease on the whole row. */
    @Test
    void whatIsWrittenSaysWhatIsLeased() {
        assertThat(ARTICLES.scopesOf(1, List.of("thumbnail", "keywords")).stream()
                        .map(GroupLeasesPostgresTest::scope))
                .containsExactly(group(1, "thumbnail"), group(1, "seo"));
        assertThat(ARTICLES.scopesOf(1, List.of("views")).stream().map(GroupLeasesPostgresTest::scope))
                .containsExactly(LeaseScope.of("article/1"));
    }
}

package dev.cerrojo.optimistic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cerrojo.RowGoneException;
import dev.cerrojo.StaleVersionException;
import dev.cerrojo.UpdateSuppressedException;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Isolation;
import dev.cerrojo.tx.RetriesExhaustedException;
import dev.cerrojo.tx.TransactionFailedException;
import dev.cerrojo.tx.TransactionOptions;
import dev.cerrojo.tx.Transactions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptimisticTablePostgresTest {
    private final OptimisticTable articles = OptimisticTable.of("article", "id", "version");
    private TestDatabase database;
    private Session other;
    private Transactions transactions;

    @BeforeEach
    void open() throws SQLException {
        database = TestDatabase.create();
        other = Session.of(database);
        transactions = Transactions.over(database.dataSource());
        other.run(List.of(
                "CREATE TABLE article (id int PRIMARY KEY, title text, views int NOT NULL DEFAULT 0,"
                        + " version bigint NOT NULL DEFAULT 0)",
                "INSERT INTO article VALUES (7, 'Old', 0, 3)"));
    }

    @AfterEach
    void close() throws SQLException {
        other.close();
        database.close();
    }

    private long update(int id, long expected, Map<String, ?> columns) {
        return transactions.<Long, RuntimeException>call(tx -> articles.update(tx, id, expected, columns));
    }

    private String article() throws SQLException {
        return String.join(" / ", other.rows("SELECT title, views, version FROM article"));
    }

    @Test
    void theExpectedVersionIsChangedAndCountedUp() throws SQLException {
        assertThat(update(7, 3, Map.of("title", "New", "views", 5))).isEqualTo(4);
        assertThat(article()).isEqualTo("New|5|4");
    }

    @Test
    void withoutColumnsTheVersionIsCountedUp() throws SQLException {
        assertThat(update(7, 3, Map.of())).isEqualTo(4);
        assertThat(article()).isEqualTo("Old|0|4");
    }

    @Test
    void nullIsAValue() throws SQLException {
        update(7, 3, Collections.singletonMap("title", null));

        assertThat(article()).isEqualTo("|0|4");
    }

    @Test
    void anotherVersionIsStale() throws SQLException {
        StaleVersionException e =
                catchThrowableOfType(StaleVersionException.class, () -> update(7, 2, Map.of("title", "New")));

        assertThat(e.table()).isEqualTo("article");
        assertThat(e.key()).containsExactly(7);
        assertThat(e.expectedVersion()).isEqualTo(2);
        assertThat(e.currentVersion()).contains(3L);
        assertThat(e).hasMessageContaining("article id=7 is at version 3, but version 2 was expected");
        assertThat(article()).isEqualTo("Old|0|3");
    }

    @Test
    void aRowThatIsNotThereIsGone() {
        RowGoneException e = catchThrowableOfType(RowGoneException.class, () -> update(8, 3, Map.of("title", "New")));

        assertThat(e.table()).isEqualTo("article");
        assertThat(e.key()).containsExactly(8);
        assertThat(e).hasMessageContaining("article id=8 is not there");
        assertThatThrownBy(() -> articles.change(transactions, 8, row -> Map.of("title", "New")))
                .isInstanceOf(RowGoneException.class);
    }

    @Test
    void aTriggerThatKeepsTheRowIsNamed() throws SQLException {
        other.run("""
                CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
                CREATE TRIGGER keep BEFORE UPDATE ON article FOR EACH ROW EXECUTE FUNCTION keep()""");
        List<Integer> applied = new ArrayList<>();

        assertThatThrownBy(() -> update(7, 3, Map.of("title", "New")))
                .isInstanceOf(UpdateSuppressedException.class)
                .hasMessageContaining("at version 3, as expected")
                .hasMessageContaining("trigger");
        assertThatThrownBy(() -> articles.change(transactions, 7, row -> {
                    applied.add(1);
                    return Map.of("title", "New");
                }))
                .isInstanceOf(UpdateSuppressedException.class);
        assertThat(applied).hasSize(1);
    }

    @Test
    void aVersionThatIsNullIsStale() throws SQLException {
        other.run("ALTER TABLE article ALTER version DROP NOT NULL; UPDATE article SET version = NULL");

        assertThatThrownBy(() -> update(7, 3, Map.of("title", "New")))
                .isInstanceOf(StaleVersionException.class)
                .hasMessageContaining("version NULL");
    }

    @Test
    void theTransactionGoesOnAfterAStaleVersion() throws SQLException {
        transactions.run(tx -> {
            try {
                articles.update(tx, 7, 2, Map.of("title", "Stale"));
            } catch (StaleVersionException e) {
                articles.update(tx, 7, e.currentVersion().orElseThrow(), Map.of("title", "Fresh"));
            }
        });

        assertThat(article()).isEqualTo("Fresh|0|4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"smallint", "int", "bigint", "numeric"})
    void anyIntegerTypeIsAVersion(String type) throws SQLException {
        other.run("ALTER TABLE article ALTER version TYPE " + type);

        assertThat(update(7, 3, Map.of("title", "New"))).isEqualTo(4);
        assertThatThrownBy(() -> update(7, 3, Map.of("title", "New"))).isInstanceOf(StaleVersionException.class);
    }

    @Test
    void keysOfSeveralColumnsAndStrangeNames() throws SQLException {
        UUID id = UUID.randomUUID();
        other.run("""
                CREATE SCHEMA cms;
                CREATE TYPE cms.state AS ENUM ('draft', 'out');
                CREATE TABLE cms."Page" (tenant text, "order" uuid, "row version" int DEFAULT 0, "a""b" jsonb, state cms.state,
                  PRIMARY KEY (tenant, "order"));
                INSERT INTO cms."Page" (tenant, "order") VALUES ('one', '%1$s'), ('two', '%1$s')""".formatted(id));
        OptimisticTable pages = OptimisticTable.of("cms.\"Page\"", List.of("tenant", "order"), "row version");

        transactions.run(tx -> {
            pages.update(tx, List.of("one", id), 0, Map.of("a\"b", "{\"x\": 1}", "state", "out"));
            pages.update(tx, List.of("one", id.toString()), 1, Map.of("state", "draft"));
        });

        assertThat(other.rows("SELECT tenant, \"row version\", \"a\"\"b\", state FROM cms.\"Page\" ORDER BY tenant"))
                .containsExactly("one|2|{\"x\": 1}|draft", "two|0||");
        assertThatThrownBy(() -> transactions.run(tx -> pages.update(tx, "one", 0, Map.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must have 2 values, for tenant, order");
    }

    @Test
    void valuesAreBoundAndNamesAreQuoted() throws SQLException {
        update(7, 3, Map.of("title", "'; DROP TABLE article; --"));

        assertThat(article()).isEqualTo("'; DROP TABLE article; --|0|4");
        assertThatThrownBy(() -> update(7, 4, Map.of("title = 'x', views", 1)))
                .isInstanceOf(TransactionFailedException.class)
                .hasMessageContaining("does not exist");
    }

    @Test
    void whatCannotBeRightIsRefused() throws SQLException {
        other.run("ALTER TABLE article DROP CONSTRAINT article_pkey; INSERT INTO article VALUES (7, 'Twin', 0, 3)");

        assertThatThrownBy(() -> update(7, 3, Map.of("title", "New"))).hasMessageContaining("2 rows have it");
        assertThat(other.value("SELECT count(*) FROM article WHERE title = 'New'"))
                .isEqualTo("0");
        assertThatThrownBy(() -> update(7, 3, Map.of("version", 9))).hasMessageContaining("leave it out");
        assertThatThrownBy(() -> OptimisticTable.of("article WHERE true", "id", "version"))
                .hasMessageContaining("table must be a name");
        assertThatThrownBy(() -> OptimisticTable.of("article", List.of(), "version"))
                .hasMessageContaining("must have a column");
    }

    /** At READ COMMITTED the version is compared, above it PostgreSQL says 40001. */
    @ParameterizedTest
    @EnumSource(Isolation.class)
    void aChangeIsMadeAgainWhenSomebodyElseWasFaster(Isolation level) throws SQLException {
        List<Object> seen = new ArrayList<>();

        long version = articles.change(at(level, 20), 7, row -> {
            seen.add(row.get("views"));
            if (seen.size() == 1) {
                views(10);
            }
            return Map.of("views", (Integer) row.get("views") + 1);
        });

        assertThat(seen).containsExactly(0, 10);
        assertThat(version).isEqualTo(5);
        assertThat(article()).isEqualTo("Old|11|5");
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void whoIsNeverFastEnoughIsTold(Isolation level) {
        RetriesExhaustedException e = catchThrowableOfType(
                RetriesExhaustedException.class,
                () -> articles.change(at(level, 2), 7, row -> {
                    views(10);
                    return Map.of("views", (Integer) row.get("views") + 1);
                }));

        assertThat(e.attempts()).isEqualTo(2);
        assertThat(e.getSuppressed()).hasSize(1);
        if (level == Isolation.READ_COMMITTED) {
            assertThat(e.getCause()).hasCauseInstanceOf(StaleVersionException.class);
        }
    }

    private Transactions at(Isolation level, int attempts) {
        return transactions.with(TransactionOptions.builder()
                .isolation(level)
                .maxAttempts(attempts)
                .build());
    }

    private void views(int more) {
        try {
            other.run("UPDATE article SET views = views + " + more + ", version = version + 1");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aChangeOfNothingWritesNothing() throws SQLException {
        String before = other.value("SELECT xmin FROM article");

        assertThat(articles.change(transactions, 7, row -> Map.of())).isEqualTo(3);
        assertThat(other.value("SELECT xmin FROM article")).isEqualTo(before);
    }

    @Test
    void aChangeThatSaysNoLeavesTheRow() throws SQLException {
        assertThatThrownBy(() -> articles.<java.io.IOException>change(transactions, 7, row -> {
                    throw new java.io.IOException("no");
                }))
                .isInstanceOf(java.io.IOException.class);
        assertThat(article()).isEqualTo("Old|0|3");
    }

    @Test
    void tenOfTenAtOnceAreCounted() throws SQLException {
        ExecutorService threads = Executors.newFixedThreadPool(10);
        try {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                all.add(CompletableFuture.runAsync(
                        () -> articles.change(transactions, 7, row -> Map.of("views", (Integer) row.get("views") + 1)),
                        threads));
            }
            all.forEach(CompletableFuture::join);
        } finally {
            threads.shutdownNow();
        }

        assertThat(article()).isEqualTo("Old|10|13");
    }
}

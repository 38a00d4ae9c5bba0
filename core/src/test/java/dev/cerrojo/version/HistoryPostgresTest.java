package dev.cerrojo.version;

import static dev.cerrojo.version.Newsroom.ONE;
import static dev.cerrojo.version.Newsroom.TWO;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.sessions.Session;
import dev.cerrojo.tx.Transactions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HistoryPostgresTest {
    private static final Retention SHORT = Retention.defaults()
            .withVersionsKept(3)
            .withVersionAge(Duration.ofDays(7))
            .withLogAge(Duration.ofDays(2));

    private Newsroom newsroom;
    private Session session;

    @BeforeEach
    void open() throws SQLException {
        newsroom = new Newsroom();
        session = newsroom.session();
    }

    @AfterEach
    void close() throws SQLException {
        newsroom.close();
    }

    /** Versions of article 1, the newest of today, each one day older than the next. */
    private void versions(int many) throws SQLException {
        session.run("""
                INSERT INTO cerrojo.version_head VALUES ('article', '1', %1$d);
                INSERT INTO cerrojo.version SELECT 'article', '1', n, 'ana', now() - (%1$d - n) * interval '1 day',
                  '{"title": {"before": "a", "after": "b"}, "Body": {"after": null}}' FROM generate_series(1, %1$d) AS n""".formatted(many));
    }

    private void entries(int many) throws SQLException {
        session.run("""
                INSERT INTO cerrojo.operation_log (entity, entity_key, changed_by, changed_at, changes, transaction_id, began)
                SELECT 'article', '2', 'job', now() - (%1$d - n) * interval '1 day', '{"words": {"before": 1, "after": 2}}', n::text::xid8, now()
                FROM generate_series(1, %1$d) AS n""".formatted(many));
    }

    @Test
    void pagesGoFromTheNewestToTheOldestAndDoNotShift() throws SQLException {
        versions(5);
        List<Long> numbers = new ArrayList<>();
        Page<Version> page = newsroom.versions().versionsOf(ONE, 2);
        page.entries().forEach(version -> numbers.add(version.number()));
        session.run(
                "INSERT INTO cerrojo.version SELECT entity, entity_key, 6, 'ben', now(), changes FROM cerrojo.version LIMIT 1");
        for (Optional<PageCursor> next = page.next(); next.isPresent(); next = page.next()) {
            page = newsroom.versions()
                    .versionsOf(ONE, 2, PageCursor.parse(next.orElseThrow().toString()));
            page.entries().forEach(version -> numbers.add(version.number()));
        }

        assertThat(numbers).containsExactly(5L, 4L, 3L, 2L, 1L);
        Version last = page.entries().get(0);
        assertThat(last.fields()).containsExactly("Body", "title");
        assertThat(last.changes()).contains("\"title\": {\"after\": \"b\", \"before\": \"a\"}");
        assertThat(last.by()).isEqualTo("ana");
        assertThat(last.entity()).isEqualTo(ONE);
        assertThat(newsroom.versions().versionsOf(TWO, 10)).isEqualTo(new Page<>(List.of(), Optional.empty()));
    }

    @Test
    void logIsPagedToo() throws SQLException {
        entries(3);
        Page<LogEntry> first = newsroom.versions().logOf(TWO, 2);
        Page<LogEntry> second = newsroom.versions().logOf(TWO, 2, first.next().orElseThrow());

        assertThat(first.entries()).extracting(LogEntry::id).containsExactly(3L, 2L);
        assertThat(second.entries()).extracting(LogEntry::id).containsExactly(1L);
        assertThat(second.entries().get(0).fields()).containsExactly("words");
        assertThat(second.next()).isEmpty();
    }

    @Test
    void pagesAreReadByIndex() throws SQLException {
        session.run("SET enable_seqscan = off");
        assertThat(
                        session.rows(
                                "EXPLAIN SELECT 1 FROM cerrojo.version WHERE entity = 'a' AND entity_key = '1' AND version < 9 ORDER BY version DESC LIMIT 3"))
                .noneMatch(line -> line.contains("Sort"))
                .anyMatch(line -> line.contains("version_pkey"));
        assertThat(
                        session.rows(
                                "EXPLAIN SELECT 1 FROM cerrojo.operation_log WHERE entity = 'a' AND entity_key = '1' AND id < 9 ORDER BY id DESC LIMIT 3"))
                .noneMatch(line -> line.contains("Sort"))
                .anyMatch(line -> line.contains("operation_log_entity"));
    }

    @Test
    void purgeKeepsTheLastOnesAndTheYoungOnes() throws SQLException {
        versions(12);
        entries(5);
        Versions versions = newsroom.versions().withRetention(SHORT);
        assertThat(versions.purge()).isEqualTo(5 + 3);
        assertThat(versions.purge()).isZero();
        assertThat(session.rows("SELECT min(version), max(version) FROM cerrojo.version"))
                .containsExactly("6|12");

        session.run("UPDATE cerrojo.version SET changed_at = changed_at - interval '1 year'");
        assertThat(versions.purge()).isEqualTo(4);
        assertThat(session.rows("SELECT version FROM cerrojo.version ORDER BY 1"))
                .containsExactly("10", "11", "12");
    }

    @Test
    void purgeGoesByBatchesAndLeavesAloneWhatIsLocked() throws SQLException {
        versions(1500);
        Versions versions = newsroom.versions().withRetention(SHORT);
        try (Session other = Session.of(newsroom.database())) {
            other.run("BEGIN; SELECT FROM cerrojo.version WHERE version <= 10 FOR UPDATE");
            assertThat(versions.purge()).isEqualTo(1000);
            assertThat(versions.purge()).isEqualTo(483);
            assertThat(versions.purge()).isZero();
            other.run("COMMIT");
        }
        assertThat(versions.purge()).isEqualTo(10);
    }

    @Test
    void whoRecordsPurgesByItselfOnceThatIsCommitted() throws SQLException {
        versions(12);
        VersionTables tables = new VersionTables("cerrojo");
        Purge purge = new Purge(newsroom.transactions(), tables, SHORT, Duration.ZERO);
        Purge never = new Purge(newsroom.transactions(), tables, SHORT.withAutomatic(false), Duration.ZERO);
        Purge later = new Purge(newsroom.transactions(), tables, SHORT, Purge.BETWEEN);
        newsroom.transactions().run(tx -> {
            never.sometimesAfter(tx);
            later.sometimesAfter(tx);
        });
        purge.sometimesAfter(Transactions.join(session.connection()));
        assertThat(session.value("SELECT count(*) FROM cerrojo.version")).isEqualTo("12");

        newsroom.transactions().run(tx -> {
            purge.sometimesAfter(tx);
            assertThat(session.value("SELECT count(*) FROM cerrojo.version")).isEqualTo("12");
        });
        assertThat(session.value("SELECT count(*) FROM cerrojo.version")).isEqualTo("7");
    }

    @Test
    void everythingIsKept() throws SQLException {
        versions(500);
        session.run("UPDATE cerrojo.version SET changed_at = '1990-01-01'");

        assertThat(newsroom.versions().purge()).isZero();
    }
}

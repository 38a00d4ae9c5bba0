package dev.cerrojo.explorer.tests.versions;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.version.LogEntry;
import dev.cerrojo.version.Page;
import dev.cerrojo.version.Version;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** The example of the guide. */
class NewspaperTest {
    @Test
    void editorsMakeVersionsAndWorkersMakeLogEntries() throws SQLException {
        try (TestDatabase database = TestDatabase.create();
                HikariDataSource pool = Pools.hikari(database, 2)) {
            Pools.execute(pool, """
                    CREATE TABLE article (id int PRIMARY KEY, title text NOT NULL, updated_at timestamptz);
                    CREATE TABLE article_seo (article_id int PRIMARY KEY, slug text NOT NULL);
                    INSERT INTO article VALUES (7, 'Old');
                    INSERT INTO article_seo VALUES (7, 'old')""");
            Newspaper newspaper = new Newspaper(pool);
            newspaper.ready();
            newspaper.rename("ana", 7, "New ");
            newspaper.slug(7, "new");
            newspaper.trimTitles();
            assertThat(newspaper.renameRecorded("ben", 7, "Newer")).hasValue(2);
            newspaper.rename("ben", 7, "Newer");

            Page<Version> history = newspaper.history(7);
            assertThat(history.entries()).extracting(Version::by).containsExactly("ben", "ana");
            assertThat(history.entries().get(1).changes())
                    .isEqualTo("{\"title\": {\"after\": \"New \", \"before\": \"Old\"}}");
            assertThat(newspaper.history(7, "2").entries())
                    .extracting(Version::number)
                    .containsExactly(1L);
            assertThat(newspaper.log(7).entries())
                    .extracting(LogEntry::fields)
                    .extracting(Object::toString)
                    .containsExactly("[title]", "[article_seo.slug]");
            assertThat(newspaper.drift()).isEmpty();
            assertThat(newspaper.purge()).isZero();
        }
    }
}

package dev.cerrojo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.testsupport.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class OwnershipCommandPostgresTest {
    private static final String CONTRACT = """
            title: Who writes what
            ownership:
              article: {key: id, version: version, editor_owned: [title], system_owned: [summary], shared: {tags: union}}
              page: {key: id, editor_owned: [text]}
            """;

    @TempDir
    private Path folder;

    private String contract = "";
    private final TestDatabase database = TestDatabase.create();

    @BeforeEach
    void tables() throws SQLException {
        contract = new ScenarioFiles(folder).file("contract.yaml", CONTRACT);
        sql("CREATE TABLE article (id int PRIMARY KEY, title text, summary text, tags text[], version bigint);"
                + " CREATE TABLE page (id int PRIMARY KEY, text text)");
    }

    @AfterEach
    void drop() {
        database.close();
    }

    private void sql(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Ran run(String... args) {
        return Ran.with(Map.of("CERROJO_DATABASE_URL", database.jdbcUrl()), args);
    }

    @Test
    void everyCommandPrintsJson() {
        List<List<String>> commands = List.of(
                List.of("print"),
                List.of("install", "--dry-run"),
                List.of("install"),
                List.of("verify"),
                List.of("verify", "--mode", "preserve"),
                List.of("install", "--mode", "preserve"),
                List.of("drop"));
        for (List<String> command : commands) {
            List<String> line = new ArrayList<>(List.of("ownership"));
            line.addAll(command);
            line.addAll(List.of("--format", "json", contract));
            Ran ran = run(line.toArray(String[]::new));
            JsonNode json = ran.json(Path.of("../docs/ownership-report.schema.json"));

            assertThat(json.at("/exitCode").asInt()).isEqualTo(ran.exitCode());
            assertThat(json.at("/tables")).hasSize(2);
        }
    }

    @Test
    void triggersAreInstalledVerifiedReplacedAndDropped() throws SQLException {
        assertThat(run("ownership", "verify", contract))
                .satisfies(ran -> assertThat(ran.exitCode()).isEqualTo(1))
                .satisfies(ran -> assertThat(ran.out()).contains("article: differs\n  NOT_INSTALLED: "));
        assertThat(run("ownership", "install", contract))
                .isEqualTo(new Ran(0, "article: installed\npage: installed\n", ""));
        assertThat(run("ownership", "verify", "--table", "page", contract))
                .isEqualTo(new Ran(0, "page: as it should be\n", ""));
        assertThat(run("ownership", "install", "--mode", "preserve", contract))
                .satisfies(ran -> assertThat(ran.exitCode()).isEqualTo(1))
                .satisfies(ran -> assertThat(ran.err()).contains("an ownership of article is installed, but differs"));
        assertThat(run("ownership", "install", "--mode", "preserve", "--unsaid", "refuse", "--replace", contract))
                .isEqualTo(new Ran(0, "article: replaced\npage: replaced\n", ""));
        sql("ALTER TABLE page ADD slug text");
        assertThat(run("ownership", "verify", "--mode", "preserve", "--unsaid", "refuse", contract)
                        .out())
                .contains("article: as it should be\npage: differs\n  TABLE_UNFIT:")
                .contains("column slug is nobody's: declare whose it is");
        assertThat(run("ownership", "drop", contract)).isEqualTo(new Ran(0, "article: dropped\npage: dropped\n", ""));
    }

    @Test
    void rightsByColumnArePrinted() {
        assertThat(run("ownership", "print", "--editor-role", "editors", "--system-role", "worker", contract))
                .isEqualTo(new Ran(0, """
                        GRANT UPDATE (title, tags, version) ON article TO editors;
                        GRANT UPDATE (summary, tags) ON article TO worker;

                        GRANT UPDATE (text) ON page TO editors;
                        -- no field of page is to be updated by worker;
                        """, ""));
    }

    @Test
    void mistakesAreToldInOneLine() throws SQLException {
        assertThat(run("ownership", "print", "--table", "artikle", contract))
                .satisfies(ran -> assertThat(ran.exitCode()).isEqualTo(2))
                .satisfies(ran -> assertThat(ran.err()).contains("did you mean \"article\"? (it has: article, page)"));
        assertThat(run("guard", "print", contract).err()).contains("has no invariant");
        sql("ALTER TABLE article ADD slug text");
        assertThat(run("ownership", "install", contract))
                .satisfies(ran -> assertThat(ran.exitCode()).isEqualTo(2))
                .satisfies(ran -> assertThat(ran.err())
                        .contains("the ownership of article cannot be kept: column slug is nobody's"));
    }
}

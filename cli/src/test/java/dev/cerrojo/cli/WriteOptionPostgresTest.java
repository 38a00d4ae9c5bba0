package dev.cerrojo.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.testsupport.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The fix of one scenario is written once; each test looks at something else of it. */
class WriteOptionPostgresTest {
    /** A text that Flyway would take for one of its placeholders. */
    private static final String SCENARIO = """
            setup: |
              CREATE TABLE account (id int PRIMARY KEY, balance int NOT NULL);
              INSERT INTO account VALUES (1, 100);
            transactions:
              withdraw:
                params: [account]
                scope: account
                steps:
                  - read: SELECT balance FROM account WHERE id = :account
                  - check: SELECT :balance >= 80
                    else: insufficient-funds
                  - write: UPDATE account SET balance = balance - 80 WHERE id = :account
            run: [withdraw(account=1), withdraw(account=1)]
            invariant:
              name: no_overdraft
              says: no account is overdrawn by ${amount}
              scope: account(id)
              sum_at_least: 0
              of: account.balance(id)
            """;

    private static TestDatabase server;

    @TempDir
    private static Path folder;

    private static Path migrations;
    private static String scenario;
    private static Ran written;

    private TestDatabase database = TestDatabase.create();

    @BeforeAll
    static void write() throws IOException {
        server = TestDatabase.create();
        scenario = new ScenarioFiles(folder).file("account.yaml", SCENARIO);
        migrations = Files.createDirectory(folder.resolve("migration"));
        Files.writeString(
                migrations.resolve("V1__account.sql"),
                "CREATE TABLE account (id int PRIMARY KEY, balance int NOT NULL); INSERT INTO account VALUES (1, 100);");
        written = run("repair", "--no-gates", "--no-cost", "--json", "--write", migrations.toString(), scenario);
    }

    @AfterAll
    static void dropDatabase() {
        server.close();
    }

    @BeforeEach
    void fresh() {
        database.close();
        database = TestDatabase.create();
    }

    @org.junit.jupiter.api.AfterEach
    void drop() {
        database.close();
    }

    private static Ran run(String... args) {
        return Ran.with(Map.of("CERROJO_URL", server.jdbcUrl()), args);
    }

    /** In the strictest way. */
    private Flyway flyway() {
        return Flyway.configure()
                .dataSource(database.jdbcUrl(), null, null)
                .locations("filesystem:" + migrations)
                .validateMigrationNaming(true)
                .loggers("slf4j")
                .load();
    }

    private List<String> query(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            java.util.ArrayList<String> texts = new java.util.ArrayList<>();
            if (statement.execute(sql)) {
                ResultSet rows = statement.getResultSet();
                while (rows.next()) {
                    texts.add(rows.getString(1));
                }
            }
            return texts;
        }
    }

    @Test
    void theReportSaysWhatWasWrittenAndProven() {
        JsonNode fix = written.json().at("/files/0/fix");

        assertThat(written.exitCode()).isZero();
        assertThat(fix.at("/outcome").asString()).isEqualTo("written");
        assertThat(fix.at("/files")
                        .valueStream()
                        .map(file -> Path.of(file.at("/path").asString())
                                .getFileName()
                                .toString()))
                .containsExactly(
                        "V2__guard_no_overdraft.sql",
                        "V2__guard_no_overdraft.sql.rollback",
                        "V2__guard_no_overdraft.sql.conf",
                        "GuardedNoOverdraft.java",
                        "account.regression.yaml",
                        "account.report.html")
                .allSatisfy(name -> assertThat(migrations.resolve(name)).exists());
        assertThat(fix.at("/proven").size()).isEqualTo(3);
    }

    @Test
    void theRegressionTestIsMet() {
        Ran ran = run(
                "check",
                "--expectations",
                migrations.resolve("account.regression.yaml").toString());

        assertThat(ran.exitCode()).as(ran.out()).isZero();
        assertThat(ran.out()).contains("expected violated, found violated", "3 of 3 expectations met");
    }

    @Test
    void flywayRunsIt() throws SQLException {
        assertThat(flyway().migrate().migrationsExecuted).isEqualTo(2);

        assertThatThrownBy(() -> query("UPDATE account SET balance = -1"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23514"));
    }

    @Test
    void flywaysMigrationRefusesRowsThatViolateAlreadyAndListsThem() throws SQLException {
        Flyway first = Flyway.configure()
                .configuration(flyway().getConfiguration())
                .target("1")
                .load();
        first.migrate();
        query("INSERT INTO account VALUES (7, -5)");

        assertThatThrownBy(() -> flyway().migrate())
                .isInstanceOf(FlywayException.class)
                .rootCause()
                .hasMessageContaining("does not hold yet")
                .hasMessageContaining("\"id\":7");
        assertThat(query("SELECT nspname FROM pg_namespace WHERE nspname = 'cerrojo'"))
                .isEmpty();
    }

    /** Its commands, with their numbers left out, say what the guide says. */
    @Test
    void theGuidesSessionIsReal() throws IOException {
        String guide = Files.readString(Path.of("../docs/guide/writing-the-fix.md"));
        String session = guide.substring(guide.indexOf("```console\n") + 11, guide.indexOf("\n```\n"));
        String output = "";
        for (String line :
                session.replace("db/migration", folder + "/guide").lines().toList()) {
            if (line.startsWith("$ ./cerrojo ")) {
                Ran ran = run(line.substring(12)
                        .replace(" examples/", " ../examples/")
                        .split(" "));
                assertThat(ran.exitCode()).as(ran.err()).isZero();
                output = ran.out().replaceAll("\\d+", "N");
            } else {
                assertThat(output).contains(line.replaceAll("\\d+", "N"));
            }
        }
    }

    @Test
    void whereNothingCanBeWrittenItSaysSoAtOnce() throws IOException {
        String file = Files.writeString(folder.resolve("file"), "").toString();

        assertThat(run("repair", "--write", file, scenario))
                .satisfies(ran -> assertThat(ran.exitCode()).isEqualTo(2))
                .satisfies(ran -> assertThat(ran.err()).contains("must name a folder, but " + file + " is a file"));
        assertThat(run("repair", "--write", file + "/below", scenario).exitCode())
                .isEqualTo(2);
        assertThat(run("repair", "--force", scenario).err()).contains("--force is about --write DIR, which is missing");
        assertThat(run("repair", "--explain", "touch", "--write", "x", scenario).err())
                .contains("excludes --explain");
    }

    /** The way it is told apart from a mistake on the command line: the superuser's rights end here. */
    @Test
    void whereNobodyMayWriteTheEnvironmentIsWrong() {
        org.junit.jupiter.api.Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/self")));

        Ran ran = run(
                "repair",
                "--no-gates",
                "--write",
                "/proc/self/cerrojo",
                new ScenarioFiles(folder).file("counter.yaml", ScenarioFiles.LOST_UPDATE));

        assertThat(ran.exitCode()).isEqualTo(3);
        assertThat(ran.err()).contains("/proc/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--replay=1:AB", "--expectations", "--verify-reduction"})
    void anHtmlReportOfWhatHasNoneIsRefused(String other) {
        Ran ran = run("check", "--html", folder.resolve("no.html").toString(), other, scenario);

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("--html is about a check of scenario files, and excludes --replay");
    }
}

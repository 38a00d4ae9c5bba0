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

class GuardCommandPostgresTest {
    private static final String CONTRACT = """
            title: Rules of the back office
            invariants:
              admins:
                says: every organization keeps an administrator
                scope: org(id)
                at_least: 1
                of: member(org_id) where admin
              one_name:
                unique: member(org_id, name)
            """;

    @TempDir
    private Path folder;

    private String contract = "";
    private TestDatabase database = TestDatabase.create();

    @BeforeEach
    void tables() throws SQLException {
        contract = new ScenarioFiles(folder).file("contract.yaml", CONTRACT);
        sql("CREATE TABLE org (id int PRIMARY KEY); CREATE TABLE member (org_id int, name text, admin boolean);"
                + " INSERT INTO org VALUES (1), (2);"
                + " INSERT INTO member VALUES (1, 'A', true), (1, 'B', true), (2, 'A', true)");
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

    private static JsonNode json(Ran ran) {
        return ran.json(Path.of("../docs/guard-report.schema.json"));
    }

    @Test
    void everyCommandPrintsJson() throws SQLException {
        List<List<String>> commands = List.of(
                List.of("guard", "print"),
                List.of("guard", "install"),
                List.of("guard", "install", "--dry-run"),
                List.of("guard", "verify"),
                List.of("margins"),
                List.of("guard", "drop"),
                List.of("guard", "verify"));
        sql("UPDATE member SET name = NULL WHERE org_id = 2");
        for (List<String> command : commands) {
            List<String> line = new ArrayList<>(command);
            line.addAll(List.of("--format", "json", contract));
            Ran ran = run(line.toArray(String[]::new));

            assertThat(json(ran).at("/exitCode").asInt()).isEqualTo(ran.exitCode());
            assertThat(json(ran).at("/invariants")).hasSize(2);
        }
    }

    @Test
    void aContractThatDoesNotFitTheDatabaseIsAMistake() {
        String other =
                new ScenarioFiles(folder).file("other.yaml", CONTRACT.replace("member(org_id)", "membr(org_id)"));

        for (String[] command : new String[][] {{"guard", "install", other}, {"margins", other}}) {
            assertThat(run(command))
                    .satisfies(ran -> assertThat(ran.exitCode()).isEqualTo(2))
                    .satisfies(ran -> assertThat(ran.err())
                            .contains("invariant admins does not fit the database: ERROR: relation \"")
                            .contains("membr\" does not exist"))
                    .satisfies(ran -> assertThat(ran.err().lines()).hasSize(1));
        }
    }

    @Test
    void installedGuardsAreVerifiedAndDropped() throws SQLException {
        assertThat(run("guard", "verify", contract))
                .satisfies(ran -> assertThat(ran.exitCode()).isEqualTo(1))
                .satisfies(ran -> assertThat(ran.out()).contains("admins: differs\n  NOT_INSTALLED: "));

        assertThat(run("guard", "install", contract))
                .isEqualTo(new Ran(0, "admins: installed\none_name: installed\n", ""));
        assertThat(run("guard", "install", contract).out())
                .isEqualTo("admins: is installed already\none_name: is installed already\n");
        assertThat(run("guard", "verify", contract))
                .isEqualTo(new Ran(0, "admins: as it should be\none_name: as it should be\n", ""));

        sql("ALTER TABLE member DISABLE TRIGGER cerrojo_admins_delete");
        Ran drifted = run("guard", "verify", contract, "--invariant", "admins", "--format", "json");
        assertThat(drifted.exitCode()).isEqualTo(1);
        assertThat(json(drifted).at("/invariants/0/findings/0/kind").stringValue())
                .isEqualTo("TRIGGER_DISABLED");
        assertThat(run("guard", "install", contract))
                .satisfies(ran -> assertThat(ran.exitCode()).isEqualTo(1))
                .satisfies(ran -> assertThat(ran.err()).contains("TRIGGER_DISABLED"));
        assertThat(run("guard", "install", "--replace", "--invariant", "admins", contract)
                        .out())
                .isEqualTo("admins: replaced\n");

        assertThat(run("guard", "drop", contract).out()).isEqualTo("admins: dropped\none_name: dropped\n");
        assertThat(run("guard", "verify", contract).out()).contains("NOT_INSTALLED");
    }

    @Test
    void dryRunPrintsTheSqlAndChangesNothing() {
        Ran ran = run("guard", "install", "--dry-run", "--lock-timeout", "1s", contract);

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out())
                .contains("CREATE CONSTRAINT TRIGGER admins")
                .contains("-- admins: installed, and rolled back\n");
        assertThat(run("guard", "verify", contract).out()).contains("admins: differs\n  NOT_INSTALLED");
    }

    @Test
    void rowsThatViolateAreListed() throws SQLException {
        sql("DELETE FROM member WHERE org_id = 2");

        assertThat(run("guard", "install", contract))
                .satisfies(ran -> assertThat(ran.exitCode()).isEqualTo(1))
                .satisfies(ran -> assertThat(ran.err()).contains("{\"id\":2,\"count\":0,\"at_least\":1}"));
    }

    @Test
    void printNeedsNoDatabase() throws SQLException {
        Ran ran =
                Ran.with(Map.of(), "guard", "print", contract, "--schema", "app", "--own-schema", "own", "--deferred");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out())
                .contains("AFTER DELETE ON app.member")
                .contains("DEFERRABLE INITIALLY DEFERRED")
                .contains("CREATE SCHEMA IF NOT EXISTS own");
        assertThat(Ran.with(Map.of(), "guard", "print", "--drop", contract).out())
                .contains("DROP FUNCTION IF EXISTS");
        sql(Ran.with(Map.of(), "guard", "print", contract).out());
        assertThat(run("guard", "verify", contract).exitCode()).isZero();
    }

    @Test
    void scenarioServesAsAContract() {
        String scenario = new ScenarioFiles(folder).file("scenario.yaml", ScenarioFiles.LOST_UPDATE);

        assertThat(Ran.with(Map.of(), "guard", "print", "--always", scenario).out())
                .contains("Guard of invariant both_count")
                .contains("ENABLE ALWAYS TRIGGER");
    }

    @Test
    void nearestScopesComeFirst() throws SQLException {
        assertThat(run("margins", contract, "--invariant", "admins").out()).isEqualTo("""
                admins
                    margin     value     bound  scope
                         0         1         1  2
                         1         2         1  1
                """);
        sql("UPDATE member SET admin = false WHERE org_id = 2; INSERT INTO member VALUES (1, 'A', false)");

        Ran violated = run("margins", contract, "--limit", "1");
        assertThat(violated.exitCode()).isEqualTo(1);
        assertThat(violated.out())
                .contains("        -1         0         1  2  VIOLATED\n")
                .contains("  VIOLATED  {");
        assertThat(json(run("margins", contract, "--format", "json"))
                        .at("/invariants/0/margins/0/margin")
                        .stringValue())
                .isEqualTo("-1");
    }

    @Test
    void ownTablesAreInstalledAndVerified() {
        assertThat(run("schema", "verify"))
                .satisfies(ran -> assertThat(ran.exitCode()).isEqualTo(1))
                .satisfies(
                        ran -> assertThat(ran.err()).contains("run `./cerrojo schema install --own-schema cerrojo`"));
        assertThat(run("schema", "install").out()).isEqualTo("schema cerrojo: installed version [1, 2, 3, 4]\n");
        assertThat(run("schema", "install").out()).isEqualTo("schema cerrojo is installed already, version 4\n");
        assertThat(run("schema", "verify")).isEqualTo(new Ran(0, "schema cerrojo: version 4\n", ""));
        assertThat(Ran.with(Map.of(), "schema", "print", "--own-schema", "own").out())
                .contains("CREATE TABLE IF NOT EXISTS own.guard")
                .doesNotContain("cerrojo");
        assertThat(run("schema").exitCode()).isEqualTo(2);
    }

    /** What is installed stays, so a report must tell of it. */
    @Test
    void aLaterFailureIsInTheReportToo() throws SQLException {
        sql("INSERT INTO member VALUES (1, 'A', false)");

        Ran ran = run("guard", "install", contract, "--format", "json");
        JsonNode invariants = json(ran).at("/invariants");

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(json(ran).at("/exitCode").asInt()).isEqualTo(1);
        assertThat(invariants.at("/0/outcome").asString()).isEqualTo("INSTALLED");
        assertThat(invariants.at("/1/outcome").asString()).isEqualTo("FAILED");
        assertThat(invariants.at("/1/message").asString()).contains("one_name");
        assertThat(ran.err()).contains("one_name");
    }

    @Test
    void ownTablesAreReportedAsJson() {
        Path schema = Path.of("../docs/schema-report.schema.json");

        Ran missing = run("schema", "verify", "--format", "json");
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.json(schema).at("/problem").asString()).contains("schema install");
        assertThat(run("schema", "install", "--format", "json")
                        .json(schema)
                        .at("/installed/0")
                        .asInt())
                .isEqualTo(1);
        assertThat(run("schema", "install", "--format", "json")
                        .json(schema)
                        .at("/installed")
                        .size())
                .isZero();
        assertThat(run("schema", "verify", "--format", "json")
                        .json(schema)
                        .at("/problem")
                        .isNull())
                .isTrue();
        assertThat(run("schema", "print", "--format", "json")
                        .json(schema)
                        .at("/sql")
                        .asString())
                .contains("CREATE TABLE");
    }

    @Test
    void mistakesAreNamed() {
        assertThat(run("guard", "verify", contract, "--invariant", "admin"))
                .satisfies(ran -> assertThat(ran.exitCode()).isEqualTo(2))
                .satisfies(ran -> assertThat(ran.err()).contains("did you mean \"admins\"?"));
        assertThat(Ran.with(Map.of(), "guard", "verify", contract).err()).contains("--url is missing");
        assertThat(run("guard").exitCode()).isEqualTo(2);
        assertThat(run("guard", "instal", contract).err()).contains("did you mean install?");
        assertThat(run("margins", contract, "--limit", "0").err()).contains("--limit must be at least 1, but was 0");
        assertThat(run("guard", "install", contract, "--lock-timeout", "999h").err())
                .contains("PT24H");
    }

    @Test
    void passwordsAreNotShown() {
        for (String url : new String[] {
            "jdbc:postgresql://127.0.0.1:1/none?user=me&password=geheim", "postgresql://me:geheim@127.0.0.1:1/none"
        }) {
            Ran ran = run("margins", contract, "--url", url);
            assertThat(ran.exitCode()).isEqualTo(3);
            assertThat(ran.err())
                    .contains("the database at jdbc:postgresql://127.0.0.1:1/none")
                    .doesNotContain("geheim");
        }
        for (String url : new String[] {"mysql://me:geheim@x/y", "jdbc:postgresql://me:geheim@127.0.0.1:1/none"}) {
            assertThat(run("margins", contract, "--url", url))
                    .satisfies(ran -> assertThat(ran.exitCode()).isEqualTo(2))
                    .satisfies(ran -> assertThat(ran.err()).doesNotContain("geheim"));
        }
    }

    @Test
    void urlsOfPostgresqlItselfAreRead() {
        DatabaseUrl url = DatabaseUrl.of("postgres://me:a%2Fb+c@host:5433/some?sslmode=disable");

        assertThat(url.jdbc()).isEqualTo("jdbc:postgresql://host:5433/some?sslmode=disable");
        assertThat(url.user()).contains("me");
        assertThat(url.password()).contains("a/b+c");
        assertThat(url.toString()).isEqualTo("jdbc:postgresql://host:5433/some");
    }
}

package dev.cerrojo.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaPostgresTest {
    private final TestDatabase database = TestDatabase.create();
    private Session session;

    @BeforeEach
    void connect() throws SQLException {
        session = Session.of(database);
    }

    @AfterEach
    void drop() throws SQLException {
        session.close();
        database.close();
    }

    /** A line is added for each version; none is ever changed. */
    @ParameterizedTest
    @CsvSource({
        "1, 1f77e507e940f90ef2cd3f62ff87da18e59674b9035f492e7d70e635633d618a",
        "2, 8c54491ce4880bdd4fa2b12d08b64b66b3e8c6b440bb92c59077ca81d7e5dfe8",
        "3, 03ebc0b0bb097b91b75e49596c0250bf028ec8f9e4ea93288b1f071b45f29b97",
        "4, 51f0ae369b6a2df310f077b8c0799f40af49381a4e8a03dd32e19245cd43c6a6"
    })
    void shippedScriptsNeverChange(int version, String sha256) {
        assertThat(HexFormat.of()
                        .formatHex(Identifiers.sha256(
                                SchemaScript.ALL.get(version - 1).text())))
                .isEqualTo(sha256);
        assertThat(SchemaScript.ALL.get(version - 1).version()).isEqualTo(version);
        assertThat(SchemaScript.ALL.get(version - 1).file()).startsWith("V" + version + "__");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cerrojo", "Own \"Things\""})
    void tablesAreMadeOnceInAnySchema(String name) throws SQLException {
        Schema schema = Schema.over(database.dataSource(), name);
        assertThat(catchThrowable(() -> schema.ready(SchemaMode.VALIDATE)))
                .isInstanceOf(SchemaNotReadyException.class)
                .hasMessageContaining("are not installed in schema " + name + ": run `./cerrojo schema install");
        schema.ready(SchemaMode.NONE);

        assertThat(schema.create()).containsExactly(1, 2, 3, 4);
        assertThat(schema.create()).isEmpty();
        schema.ready(SchemaMode.VALIDATE);
        schema.ready(SchemaMode.CREATE);
        assertThat(session.rows("SELECT nspname FROM pg_namespace WHERE nspname IN ('cerrojo', 'Own \"Things\"')"))
                .containsExactly(name);
    }

    /** As Flyway, or a hand, runs it. */
    @Test
    void scriptIsAsGoodAsAnInstallation() throws SQLException {
        for (SchemaScript script : SchemaScript.ALL) {
            assertThat(script.text()).doesNotContain("${");
            session.run(script.text());
        }

        Schema.over(database.dataSource()).ready(SchemaMode.VALIDATE);
        assertThat(Schema.over(database.dataSource()).create()).isEmpty();
    }

    @Test
    void guardTableThatAGuardMadeIsKept() throws SQLException {
        session.run(new GuardTable("cerrojo").createStatements());
        session.run("INSERT INTO cerrojo.guard VALUES ('x', '1', 7)");

        assertThat(Schema.over(database.dataSource()).create()).containsExactly(1, 2, 3, 4);
        assertThat(session.rows("SELECT * FROM cerrojo.guard")).containsExactly("x|1|7");
    }

    @Test
    void scriptAndGuardsMakeTheSameGuardTable() throws SQLException {
        String shape = """
                SELECT a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                  pg_get_expr(d.adbin, d.adrelid), pg_get_constraintdef(c.oid)
                FROM pg_attribute AS a
                LEFT JOIN pg_attrdef AS d ON (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
                LEFT JOIN pg_constraint AS c ON c.conrelid = a.attrelid AND c.contype = 'p'
                WHERE a.attrelid = to_regclass('%s.guard') AND a.attnum > 0""";
        session.run(SchemaScript.ALL.get(0).sql("one"));
        session.run(new GuardTable("other").createStatements());

        assertThat(session.rows(shape.formatted("one")))
                .isEqualTo(session.rows(shape.formatted("other")))
                .hasSize(3);
    }

    @Test
    void otherVersionsAndDroppedTablesAreRefused() throws SQLException {
        Schema schema = Schema.over(database.dataSource());
        schema.create();
        session.run("INSERT INTO cerrojo.schema_version VALUES (99)");
        assertThat(catchThrowable(schema::validate)).hasMessageContaining("are of version 99, newer than this library");

        session.run("DELETE FROM cerrojo.schema_version WHERE version IN (1, 99)");
        assertThat(catchThrowable(schema::validate)).hasMessageContaining("lack version [1] of 4: run `./cerrojo");

        schema.create();
        session.run("DROP TABLE cerrojo.guard");
        assertThat(catchThrowable(schema::validate))
                .isInstanceOf(SchemaNotReadyException.class)
                .hasMessageContaining("table cerrojo.guard of Cerrojo's was dropped");
    }

    @Test
    void severalProcessesMayCreateAtOnce() throws Exception {
        List<CompletableFuture<List<Integer>>> creators = IntStream.range(0, 6)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> {
                    try {
                        return Schema.over(database.dataSource()).create();
                    } catch (SQLException failure) {
                        throw new IllegalStateException(failure);
                    }
                }))
                .toList();
        List<Integer> made = new ArrayList<>();
        for (CompletableFuture<List<Integer>> creator : creators) {
            made.addAll(creator.get(20, TimeUnit.SECONDS));
        }

        assertThat(made).containsExactly(1, 2, 3, 4);
    }

    /** The control: two at once, without what puts them in order. */
    @Test
    void scriptsThatRunAtOnceCanFailWithoutTheLock() throws Exception {
        try (Session other = Session.of(database)) {
            session.run("BEGIN; " + SchemaScript.ALL.get(0).text());
            CompletableFuture<String> waiting =
                    other.start("BEGIN; " + SchemaScript.ALL.get(0).text());
            try (Session monitor = Session.of(database)) {
                other.awaitBlockedBy(session, monitor);
            }
            session.run("COMMIT");

            assertThat(Session.await(waiting)).isEqualTo("23505");
        }
    }
}

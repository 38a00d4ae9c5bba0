package dev.cerrojo.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class SerializationPointPostgresTest {
    private static final Invariant COVERAGE = Invariants.onCallCoverage();

    static final List<SerializationPoint> POINTS = List.of(
            SerializationPoint.touch(COVERAGE),
            SerializationPoint.lockScopeRow(COVERAGE, SerializationPoint.RowLock.FOR_NO_KEY_UPDATE),
            SerializationPoint.lockScopeRow(COVERAGE, SerializationPoint.RowLock.FOR_UPDATE),
            SerializationPoint.advisory(COVERAGE),
            SerializationPoint.advisory(COVERAGE, 74921, "hashtext(:scope)"));

    private TestDatabase database;
    private Session first;
    private Session second;
    private Session monitor;

    @BeforeEach
    void open() throws SQLException {
        database = TestDatabase.create();
        first = Session.of(database);
        second = Session.of(database);
        monitor = Session.of(database);
        first.run(new GuardTable("cerrojo").createStatements());
        first.run("CREATE TABLE shift (id int PRIMARY KEY); INSERT INTO shift VALUES (1), (2)");
    }

    @AfterEach
    void close() throws SQLException {
        first.close();
        second.close();
        monitor.close();
        database.close();
    }

    @ParameterizedTest
    @FieldSource("POINTS")
    void oneScopeWaitsAndAnotherDoesNot(SerializationPoint point) throws Exception {
        first.run("BEGIN; " + point.sql("1"));

        second.run("BEGIN; " + point.sql("2") + "; COMMIT; BEGIN");
        CompletableFuture<String> waiting = second.start(point.sql("1"));
        second.awaitBlockedBy(first, monitor);
        first.run("COMMIT");

        assertThat(Session.await(waiting)).isEqualTo("00000");
    }

    /** The list says the later one first. Who waits for the earlier must not hold the later: that can end in a circle. */
    @ParameterizedTest
    @FieldSource("POINTS")
    void severalScopesAreTakenInKeyOrder(SerializationPoint point) throws Exception {
        boolean turned = point instanceof SerializationPoint.Advisory advisory && advisory.key("1") > advisory.key("2");
        String earlier = turned ? "2" : "1";
        String later = turned ? "1" : "2";
        first.run("BEGIN; " + point.sql(earlier));
        second.run("BEGIN");
        CompletableFuture<String> waiting = second.start(point.sql(List.of(later, earlier, later)));
        second.awaitBlockedBy(first, monitor);

        monitor.run("SET lock_timeout = '5s'; BEGIN; " + point.sql(later) + "; COMMIT");
        first.run("COMMIT");
        assertThat(Session.await(waiting)).isEqualTo("00000");

        CompletableFuture<String> held = first.start("BEGIN; " + point.sql(later));
        first.awaitBlockedBy(second, monitor);
        second.run("COMMIT");
        assertThat(Session.await(held)).isEqualTo("00000");
    }

    @Test
    void globalScopeIsTakenOnce() throws SQLException {
        Invariant manager = Invariants.global("last_manager", new Rule.AtLeast(1, Invariants.rows("app_user", "", "")));

        first.run(SerializationPoint.touch(manager).sql(List.of("", "")));
        first.run(SerializationPoint.advisory(manager).sql(List.of("")));
        first.run(SerializationPoint.advisory(manager, 74920, "0").sql(List.of("")));

        assertThat(first.rows("SELECT * FROM cerrojo.guard")).containsExactly("last_manager|global|0");
    }

    @ParameterizedTest
    @FieldSource("POINTS")
    void theScopeIsOneBoundValue(SerializationPoint point) throws SQLException {
        try (PreparedStatement statement = first.connection().prepareStatement(point.sql("?"))) {
            statement.setInt(1, 1);
            statement.execute();
        }
    }

    @Test
    void touchCounts() throws SQLException {
        first.run(SerializationPoint.touch(COVERAGE).sql("7"));
        first.run(SerializationPoint.touch(COVERAGE).sql("7"));

        assertThat(first.rows("SELECT * FROM cerrojo.guard")).containsExactly("on_call_coverage|7|1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1", "", "Nachtschicht ñ 疑 🔒", "it's \\ \"quoted\"", "00000000-0000-0000-0000-000000000001"})
    void derivedKeyIsTheSameInJavaAndInSql(String scope) throws SQLException {
        SerializationPoint.Advisory advisory = SerializationPoint.advisory(COVERAGE);

        assertThat(first.value("SELECT " + advisory.keySql(Identifiers.quoteLiteral(scope))))
                .isEqualTo(Long.toString(advisory.key(scope)));
    }

    @Test
    void derivedKeyOfGlobalScopeIsTheSameInJavaAndInSql() throws SQLException {
        SerializationPoint.Advisory advisory = SerializationPoint.advisory(
                Invariants.global("last_manager", new Rule.AtLeast(1, Invariants.rows("app_user", "", ""))));

        assertThat(first.value("SELECT " + advisory.keySql("?"))).isEqualTo(Long.toString(advisory.key("global")));
    }

    @Test
    void exactKeysAreSeenInTheLockTable() throws SQLException {
        first.run("BEGIN; "
                + SerializationPoint.advisory(COVERAGE, 74921, "hashtext(:scope)")
                        .sql("1"));

        assertThat(
                        monitor.rows(
                                "SELECT classid, objid = hashtext('1')::bit(32)::bigint::oid FROM pg_locks"
                                        + " WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"))
                .containsExactly("74921|t");
    }
}

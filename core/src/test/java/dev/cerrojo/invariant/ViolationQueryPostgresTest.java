package dev.cerrojo.invariant;

import static dev.cerrojo.invariant.Invariants.element;
import static dev.cerrojo.invariant.Invariants.global;
import static dev.cerrojo.invariant.Invariants.rows;
import static dev.cerrojo.invariant.Invariants.scoped;
import static dev.cerrojo.invariant.Invariants.violatedBy;
import static dev.cerrojo.invariant.Invariants.watch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ViolationQueryPostgresTest {
    private TestDatabase database;
    private Session session;

    @BeforeEach
    void open() throws SQLException {
        database = TestDatabase.create();
        session = Session.of(database);
    }

    @AfterEach
    void close() throws SQLException {
        session.close();
        database.close();
    }

    @Test
    void scopeWithTooFewRowsIsListed() throws SQLException {
        hospital();
        Invariant coverage = Invariants.onCallCoverage();
        session.run("INSERT INTO on_call VALUES (1, 'A', true, true), (2, 'B', true, false), (3, 'C', false, true)");

        assertThat(session.columns(coverage.violationSql())).isEqualTo("id|count|at_least");
        assertThat(session.rows(coverage.violationSql())).containsExactly("3|0|1", "4|0|1");
    }

    @Test
    void columnsThatBothTablesHaveAreNotConfused() throws SQLException {
        // Shift 2 is not active: its doctor's own "active" must not stand for the shift's.
        hospital();
        session.run("INSERT INTO on_call VALUES (1, 'A', true, true), (3, 'C', true, true), (4, 'D', true, true)");

        assertThat(session.rows(Invariants.onCallCoverage().violationSql())).isEmpty();

        session.run("UPDATE on_call SET active = false WHERE shift_id = 1");
        assertThat(session.rows(Invariants.onCallCoverage().violationSql())).containsExactly("1|0|1");
    }

    @Test
    void columnOfTheOtherTableIsAnErrorAndNotAnOuterReference() throws SQLException {
        session.run("CREATE TABLE shift (id int, ward int); CREATE TABLE on_call (shift_id int)");
        Invariant misspelt = scoped(
                "x", Scope.table("shift", "id"), "", new Rule.AtLeast(1, rows("on_call", "shift_id", "ward = 1")));

        assertThat(session.sqlState(misspelt.violationSql())).isEqualTo("42703");
        assertThat(session.sqlState(misspelt.violationSqlFor("1"))).isEqualTo("42703");
    }

    @Test
    void conditionsMayQualifyColumnsAndEndWithAComment() throws SQLException {
        hospital();
        Invariant coverage = scoped(
                "x",
                Scope.table("public.shift", "id"),
                "shift.active -- the shift's",
                new Rule.AtLeast(1, rows("on_call", "shift_id", "on_call.active -- the doctor's")));
        session.run("INSERT INTO on_call VALUES (1, 'A', true, true), (3, 'C', true, true)");

        assertThat(session.rows(coverage.violationSql())).containsExactly("4|0|1");
    }

    @Test
    void scopeWithTooManyRowsIsListed() throws SQLException {
        hospital();
        Invariant limit =
                scoped("x", Scope.table("shift", "id"), "active", new Rule.AtMost(1, rows("on_call", "shift_id", "")));
        session.run("INSERT INTO on_call VALUES (1, 'A', true, true), (2, 'A', true, true), (2, 'B', true, true)");

        assertThat(session.rows(limit.violationSql())).isEmpty();

        session.run("INSERT INTO on_call VALUES (1, 'B', false, false)");
        assertThat(session.columns(limit.violationSql())).isEqualTo("id|count|at_most");
        assertThat(session.rows(limit.violationSql())).containsExactly("1|2|1");
    }

    @Test
    void sumsOfNoRowsAreZeroAndOfNullsToo() throws SQLException {
        session.run("CREATE TABLE wallet (id int); CREATE TABLE entry (wallet_id int, amount numeric)");
        session.run("INSERT INTO wallet VALUES (1), (2), (3)");
        session.run("INSERT INTO entry VALUES (1, 5), (1, -7.5), (2, NULL)");
        Rule.Rows entries = rows("entry", "wallet_id", "");
        Scope wallet = Scope.table("wallet", "id");

        Invariant floor = scoped("x", wallet, "", new Rule.SumAtLeast(new BigDecimal("-2"), "amount", entries));
        assertThat(session.columns(floor.violationSql())).isEqualTo("id|sum|at_least");
        assertThat(session.rows(floor.violationSql())).containsExactly("1|-2.5|-2");
        Invariant ceiling = scoped("x", wallet, "", new Rule.SumAtMost(new BigDecimal("-1E0"), "amount", entries));
        assertThat(session.rows(ceiling.violationSql())).containsExactly("2|0|-1", "3|0|-1");
    }

    @Test
    void globalScopeHasOneRowWhenViolated() throws SQLException {
        session.run(
                "CREATE TABLE app_user (id int, active boolean, quota int); INSERT INTO app_user VALUES (1, true, 3)");
        Invariant someone = global("x", new Rule.AtLeast(1, rows("app_user", "", "active")));
        Invariant quota = global("x", new Rule.SumAtMost(BigDecimal.TEN, "quota", rows("app_user", "", "")));

        assertThat(session.rows(someone.violationSql())).isEmpty();
        assertThat(session.rows(quota.violationSql())).isEmpty();

        session.run("UPDATE app_user SET active = false, quota = 11");
        assertThat(session.columns(someone.violationSql())).isEqualTo("count|at_least");
        assertThat(session.rows(someone.violationSql())).containsExactly("0|1");
        assertThat(session.rows(quota.violationSql())).containsExactly("11|10");
        assertThat(session.rows(quota.violationSqlFor("'ignored'"))).containsExactly("11|10");
    }

    @Test
    void rowsAndScopesWithoutKeyBelongToNoScope() throws SQLException {
        session.run("CREATE TABLE shift (id int, active boolean); INSERT INTO shift VALUES (NULL, true), (1, true)");
        session.run("CREATE TABLE on_call (shift_id int, active boolean, qualified boolean)");
        session.run("INSERT INTO on_call VALUES (NULL, true, true), (NULL, true, true)");

        assertThat(session.rows(Invariants.onCallCoverage().violationSql())).containsExactly("1|0|1");
        assertThat(session.rows(
                        scoped("x", Scope.table("shift", "id"), "", new Rule.AtMost(1, rows("on_call", "shift_id", "")))
                                .violationSql()))
                .isEmpty();
    }

    @Test
    void oneScopeIsAskedWithABoundValue() throws SQLException {
        hospital();
        try (PreparedStatement query = session.connection()
                .prepareStatement(Invariants.onCallCoverage().violationSqlFor("?"))) {
            query.setInt(1, 3);
            try (ResultSet result = query.executeQuery()) {
                assertThat(result.next()).isTrue();
                assertThat(result.getInt("id")).isEqualTo(3);
                assertThat(result.next()).isFalse();
            }
        }
    }

    @Test
    void oneScopeIsCountedThroughTheIndexes() throws SQLException {
        session.run("CREATE TABLE shift (id int PRIMARY KEY, active boolean)");
        session.run("CREATE TABLE on_call (shift_id int, active boolean, qualified boolean)");
        session.run("CREATE INDEX by_shift ON on_call (shift_id)");
        session.run("INSERT INTO shift SELECT g, true FROM generate_series(1, 5000) AS g");
        session.run("INSERT INTO on_call SELECT g, true, true FROM generate_series(1, 5000) AS g");
        session.run("ANALYZE shift, on_call");

        session.run("PREPARE q (int) AS " + Invariants.onCallCoverage().violationSqlFor("$1"));
        session.run("SET plan_cache_mode = force_generic_plan");
        assertThat(session.rows("EXPLAIN EXECUTE q (1)"))
                .anyMatch(line -> line.contains("Scan using by_shift") || line.contains("Index Scan on by_shift"))
                .noneMatch(line -> line.contains("Seq Scan"));
    }

    @Test
    void rowsThatAgreeAreListed() throws SQLException {
        session.run("CREATE TABLE card (owner int, kind text, is_default boolean)");
        session.run("INSERT INTO card VALUES (1, 'x', true), (1, 'x', true), (2, 'x', true), (2, 'x', false)");
        session.run("INSERT INTO card VALUES (NULL, 'x', true), (NULL, 'x', true)");
        Invariant one = global("x", new Rule.Unique("card", List.of("owner", "kind"), Optional.of("is_default")));

        assertThat(session.columns(one.violationSql())).isEqualTo("owner|kind|rows");
        assertThat(session.rows(one.violationSql())).containsExactly("1|x|2");

        session.run("DELETE FROM card WHERE owner = 1");
        assertThat(session.rows(one.violationSql())).isEmpty();
    }

    @Test
    void rowsThatOverlapAreListedOncePerPair() throws SQLException {
        session.run("CREATE TABLE booking (room int, during int4range, cancelled boolean DEFAULT false)");
        session.run(
                "INSERT INTO booking VALUES (1, '[1,5)'), (1, '[4,6)'), (1, '[6,8)'), (2, '[1,9)'), (NULL, '[1,9)')");
        Invariant noOverlap = global(
                "x",
                new Rule.NoOverlap(
                        "booking",
                        List.of(element("booking.room", "="), element("during", "&&")),
                        Optional.of("NOT cancelled")));

        assertThat(session.columns(noOverlap.violationSql())).isEqualTo("row|overlaps");
        assertThat(session.rows(noOverlap.violationSql()))
                .containsExactly("{\"room\": 1, \"during\": \"[1,5)\", \"cancelled\": false}"
                        + "|{\"room\": 1, \"during\": \"[4,6)\", \"cancelled\": false}");

        session.run("UPDATE booking SET cancelled = true WHERE during = '[4,6)'");
        assertThat(session.rows(noOverlap.violationSql())).isEmpty();
    }

    @Test
    void identicalRowsOverlapThemselvesOnlyWhenTheyAreTwo() throws SQLException {
        session.run("CREATE TABLE part (id int, during int4range) PARTITION BY LIST (id)");
        session.run("CREATE TABLE part_1 PARTITION OF part FOR VALUES IN (1)");
        session.run("CREATE TABLE part_2 PARTITION OF part FOR VALUES IN (2)");
        session.run("INSERT INTO part VALUES (1, '[1,5)')");
        Invariant noOverlap =
                global("x", new Rule.NoOverlap("part", List.of(element("during", "&&")), Optional.empty()));

        assertThat(session.rows(noOverlap.violationSql())).isEmpty();

        session.run("INSERT INTO part VALUES (2, '[1,5)')");
        assertThat(session.rows(noOverlap.violationSql())).hasSize(1);
    }

    @Test
    void plainSqlIsItsOwnViolationQuery() throws SQLException {
        hospital();
        Invariant plain = global("x", violatedBy("SELECT s.id, s.id AS id FROM shift s WHERE s.id > 3;"));

        assertThat(session.rows(plain.violationSql())).containsExactly("4|4");
    }

    @Test
    void whereOfPlainSqlKeepsTheRowsOfItsScopes() throws SQLException {
        hospital();
        Invariant plain = scoped(
                "x",
                Scope.table("shift", "id"),
                "active AND EXISTS (SELECT 1 FROM on_call WHERE shift_id = id)",
                violatedBy("SELECT id, 'empty' AS why FROM shift", watch("on_call", "shift_id")));
        session.run("INSERT INTO on_call VALUES (1, 'A', true, true), (2, 'B', true, true)");

        assertThat(session.rows(plain.violationSql())).containsExactly("1|empty");
    }

    @Test
    void quotedAndReservedNamesWork() throws SQLException {
        session.run("CREATE SCHEMA \"My App\"; CREATE TABLE \"My App\".\"user\" (\"Key\" uuid, \"order\" boolean)");
        session.run("CREATE TABLE \"group\" (\"user\" uuid, active boolean)");
        session.run("INSERT INTO \"My App\".\"user\" VALUES ('00000000-0000-0000-0000-000000000001', true)");
        Invariant quoted = scoped(
                "x",
                Scope.table("\"My App\".user", "\"Key\""),
                "\"order\"",
                new Rule.AtLeast(1, rows("group", "user", "active")));

        assertThat(session.columns(quoted.violationSql())).isEqualTo("Key|count|at_least");
        assertThat(session.rows(quoted.violationSql())).containsExactly("00000000-0000-0000-0000-000000000001|0|1");
    }

    @Test
    void serverSideErrorsAreLeftToTheServer() {
        assertThatThrownBy(() -> session.rows(Invariants.onCallCoverage().violationSql()))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("shift");
    }

    private void hospital() throws SQLException {
        session.run("CREATE TABLE shift (id int PRIMARY KEY, active boolean NOT NULL)");
        session.run(
                "CREATE TABLE on_call (shift_id int, doctor text, qualified boolean NOT NULL, active boolean NOT NULL)");
        session.run("INSERT INTO shift VALUES (1, true), (2, false), (3, true), (4, true)");
    }
}

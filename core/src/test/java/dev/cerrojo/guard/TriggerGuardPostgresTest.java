package dev.cerrojo.guard;

import static dev.cerrojo.invariant.Invariants.global;
import static dev.cerrojo.invariant.Invariants.rows;
import static dev.cerrojo.invariant.Invariants.scoped;
import static dev.cerrojo.invariant.Invariants.violatedBy;
import static dev.cerrojo.invariant.Invariants.watch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Invariants;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import dev.cerrojo.invariant.SerializationPoint;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.ServerErrorMessage;

class TriggerGuardPostgresTest {
    private static final GuardOptions DEFAULTS = GuardOptions.defaults();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM on_call WHERE shift_id = 1",
                "DELETE FROM on_call",
                "UPDATE on_call SET active = false WHERE shift_id = 1",
                "UPDATE on_call SET qualified = false WHERE shift_id = 2",
                "UPDATE on_call SET shift_id = 3 WHERE shift_id = 2",
                "UPDATE on_call SET shift_id = NULL WHERE shift_id = 2",
                "UPDATE on_call SET active = NULL WHERE shift_id = 2",
                "TRUNCATE on_call",
                "UPDATE shift SET active = true WHERE id = 3",
                "INSERT INTO shift VALUES (4, true)",
                "INSERT INTO shift VALUES (3, true) ON CONFLICT (id) DO UPDATE SET active = excluded.active",
                "UPDATE shift SET id = 4, active = true WHERE id = 3",
                "WITH gone AS (DELETE FROM on_call WHERE doctor = 'A') DELETE FROM on_call WHERE doctor = 'B'",
                "WITH gone AS (DELETE FROM on_call WHERE shift_id = 1 RETURNING doctor)"
                        + " INSERT INTO on_call SELECT 3, doctor FROM gone"
            })
    void statementThatBreaksTheInvariantIsRefused(String statement) throws SQLException {
        try (Hospital hospital = new Hospital().guarded()) {
            Session session = hospital.session();
            session.run("ALTER TABLE on_call DROP CONSTRAINT on_call_pkey, ALTER active DROP NOT NULL");
            session.run("ALTER TABLE on_call ALTER shift_id DROP NOT NULL");

            assertThat(session.sqlState(statement)).isEqualTo("23514");
            assertThat(session.rows(Hospital.COVERAGE.violationSql())).isEmpty();
        }
    }

    @Test
    void cascadeFromAnotherTableIsRefused() throws SQLException {
        try (Hospital hospital = new Hospital().guarded()) {
            Session session = hospital.session();
            session.run("CREATE TABLE doctor (name text PRIMARY KEY); INSERT INTO doctor VALUES ('A'), ('B')");
            session.run("ALTER TABLE on_call ADD FOREIGN KEY (doctor) REFERENCES doctor ON DELETE CASCADE");

            session.run("DELETE FROM doctor WHERE name = 'A'");
            assertThat(session.sqlState("DELETE FROM doctor")).isEqualTo("23514");
        }
    }

    @Test
    void keyOfAScopeThatItsRowsDoNotFollowIsRefused() throws SQLException {
        try (Hospital hospital = new Hospital().guarded()) {
            Session session = hospital.session();
            session.run("UPDATE shift SET id = 11 WHERE id = 1");
            session.run("ALTER TABLE on_call DROP CONSTRAINT on_call_shift_id_fkey");

            assertThat(session.sqlState("UPDATE shift SET id = 12 WHERE id = 2"))
                    .isEqualTo("23514");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DELETE FROM on_call WHERE doctor = 'A' | 1 2",
                "DELETE FROM on_call WHERE doctor = 'C' | ''",
                "UPDATE on_call SET active = false WHERE shift_id = 2 AND doctor = 'A' | 2",
                "UPDATE on_call SET doctor = upper(doctor) | ''",
                "UPDATE on_call SET active = (doctor <> 'A'), qualified = true | 1 2",
                "UPDATE on_call SET shift_id = 3 - shift_id WHERE doctor = 'A' | ''",
                "UPDATE on_call SET shift_id = 3 WHERE doctor = 'A' | 1 2",
                "INSERT INTO on_call VALUES (1, 'C'), (3, 'C') | ''",
                "INSERT INTO shift VALUES (4, false) | ''",
                "UPDATE shift SET active = active | ''",
                "UPDATE shift SET active = false | ''",
                "UPDATE shift SET id = 4 WHERE id = 1 | 1 4",
                "DELETE FROM shift WHERE id = 1 | 1",
                "TRUNCATE shift, on_call | ''",
                "TRUNCATE shift CASCADE | ''"
            })
    void onlyScopesThatComeNearerToViolationAreTouched(String statement, String scopes) throws SQLException {
        try (Hospital hospital = new Hospital().guarded()) {
            hospital.session().run("ALTER TABLE on_call DROP CONSTRAINT on_call_pkey");
            hospital.session().run(statement);

            assertThat(String.join(" ", hospital.session().rows("SELECT scope FROM cerrojo.guard ORDER BY scope")))
                    .isEqualTo(scopes);
        }
    }

    @Test
    void errorNamesInvariantScopeAndWhatToDo() throws SQLException {
        try (Hospital hospital = new Hospital().guarded()) {
            ServerErrorMessage error = hospital.session().error("DELETE FROM on_call WHERE shift_id = 2");

            assertThat(error.getSQLState()).isEqualTo("23514");
            assertThat(error.getConstraint()).isEqualTo("on_call_coverage");
            assertThat(error.getMessage()).isEqualTo("every active shift keeps a doctor (shift id = 2)");
            assertThat(error.getDetail()).isEqualTo("Violating row: {\"id\":2,\"count\":0,\"at_least\":1}");
            assertThat(error.getHint())
                    .contains("guard of invariant on_call_coverage")
                    .contains("read it again");
        }
    }

    @Test
    void oneStatementTouchesEachScopeOnceAndInKeyOrder() throws SQLException {
        try (Hospital hospital = new Hospital()) {
            Session session = hospital.session();
            session.run("INSERT INTO shift SELECT g, true FROM generate_series(10, 40) AS g");
            session.run(
                    "INSERT INTO on_call SELECT g, d FROM generate_series(40, 10, -1) AS g, unnest('{A,B}'::text[]) AS d");
            hospital.guarded();
            session.run("CREATE TABLE log (n serial, scope text)");
            session.run("""
                    CREATE FUNCTION log_touch() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN INSERT INTO log (scope) VALUES (NEW.scope); RETURN NULL; END $$""");
            session.run("CREATE TRIGGER log AFTER INSERT OR UPDATE ON cerrojo.guard"
                    + " FOR EACH ROW EXECUTE FUNCTION log_touch()");

            // Once by inserting guard rows, once by updating them.
            for (String doctor : List.of("A", "C")) {
                session.run("INSERT INTO on_call SELECT id, 'C' FROM shift ON CONFLICT DO NOTHING");
                session.run("TRUNCATE log");
                session.run("DELETE FROM on_call WHERE shift_id >= 10 AND doctor = '" + doctor + "'");

                assertThat(session.rows("SELECT scope FROM log ORDER BY n"))
                        .hasSize(31)
                        .isSorted();
            }
        }
    }

    @Test
    void deferredGuardLetsATransactionPassThroughABadState() throws SQLException {
        try (Hospital hospital = new Hospital().guarded(DEFAULTS.withDeferred(true))) {
            Session session = hospital.session();
            session.run("BEGIN; DELETE FROM on_call WHERE shift_id = 1; INSERT INTO on_call VALUES (1, 'C'); COMMIT");
            assertThat(session.rows("SELECT doctor FROM on_call WHERE shift_id = 1"))
                    .containsExactly("C");

            session.run("BEGIN; DELETE FROM on_call WHERE shift_id = 1");
            assertThat(session.sqlState("COMMIT")).isEqualTo("23514");
            session.run("ROLLBACK");
            session.run("BEGIN; DELETE FROM on_call WHERE shift_id = 1");
            assertThat(session.sqlState("SET CONSTRAINTS ALL IMMEDIATE")).isEqualTo("23514");
        }
    }

    @Test
    void deferredGuardChecksAfterTheLastTouchOfAScope() throws SQLException {
        try (Hospital hospital = new Hospital().guarded(DEFAULTS.withDeferred(true))) {
            Session session = hospital.session();
            session.run("BEGIN; DELETE FROM on_call WHERE shift_id = 1; INSERT INTO on_call VALUES (1, 'C')");
            session.run("SAVEPOINT s; DELETE FROM on_call WHERE doctor = 'C'; ROLLBACK TO s; COMMIT");

            session.run("BEGIN; DELETE FROM on_call WHERE shift_id = 2 AND doctor = 'A'");
            session.run("SAVEPOINT s; INSERT INTO on_call VALUES (2, 'C'); DELETE FROM on_call WHERE doctor = 'B'");
            session.run("DELETE FROM on_call WHERE shift_id = 2");
            assertThat(session.sqlState("COMMIT")).isEqualTo("23514");
        }
    }

    @Test
    void immediateGuardIsDeferredOnRequest() throws SQLException {
        try (Hospital hospital = new Hospital().guarded()) {
            Session session = hospital.session();
            session.run("BEGIN; SET CONSTRAINTS cerrojo.on_call_coverage DEFERRED");
            session.run("DELETE FROM on_call WHERE shift_id = 1; INSERT INTO on_call VALUES (1, 'C'); COMMIT");

            assertThat(session.rows(Hospital.COVERAGE.violationSql())).isEmpty();
        }
    }

    @Test
    void replicaSessionPassesByUnlessAlwaysEnabled() throws SQLException {
        String delete = "SET session_replication_role = replica; DELETE FROM on_call WHERE shift_id = 1";
        try (Hospital hospital = new Hospital().guarded()) {
            hospital.session().run(delete);

            assertThat(hospital.session().rows(Hospital.COVERAGE.violationSql()))
                    .containsExactly("1|0|1");
        }
        try (Hospital hospital = new Hospital().guarded(DEFAULTS.withAlwaysEnabled(true))) {
            assertThat(hospital.session().sqlState(delete)).isEqualTo("23514");
        }
    }

    @Test
    void touchOfTheApplicationIsCheckedToo() throws SQLException {
        try (Hospital hospital = new Hospital().guarded()) {
            hospital.session()
                    .run("BEGIN; " + SerializationPoint.touch(Hospital.COVERAGE).sql("1"));
            hospital.session().run("DELETE FROM on_call WHERE shift_id = 1 AND doctor = 'A'; COMMIT");

            assertThat(hospital.session().rows("SELECT scope, touched FROM cerrojo.guard"))
                    .containsExactly("1|1");
        }
    }

    @Test
    void temporaryTableDoesNotShadowTheGuardedOne() throws SQLException {
        try (Hospital hospital = new Hospital().guarded()) {
            Session session = hospital.session();
            session.run("CREATE TEMP TABLE on_call (shift_id int, qualified boolean, active boolean)");
            session.run("INSERT INTO on_call VALUES (1, true, true)");
            session.run("SET search_path = pg_temp, public");

            assertThat(session.sqlState("DELETE FROM public.on_call WHERE shift_id = 1"))
                    .isEqualTo("23514");
        }
    }

    @Test
    void writerNeedsRightsOnTheGuardTableAndFailsClosedWithoutThem() throws SQLException {
        try (Hospital hospital = new Hospital().guarded()) {
            Session session = hospital.session();
            String role = "cerrojo_writer_" + ProcessHandle.current().pid();
            session.run("CREATE ROLE " + role);
            try {
                session.run("GRANT SELECT, DELETE ON on_call TO " + role + "; GRANT SELECT ON shift TO " + role);
                session.run("SET ROLE " + role);
                assertThat(session.sqlState("DELETE FROM on_call WHERE doctor = 'A'"))
                        .isEqualTo("42501");

                session.run("RESET ROLE; GRANT USAGE ON SCHEMA cerrojo TO " + role);
                session.run("GRANT SELECT, INSERT, UPDATE ON cerrojo.guard TO " + role);
                session.run("SET ROLE " + role + "; DELETE FROM on_call WHERE doctor = 'A'");
                assertThat(session.sqlState("DELETE FROM on_call WHERE doctor = 'B'"))
                        .isEqualTo("23514");
            } finally {
                session.run("RESET ROLE; DROP OWNED BY " + role + "; DROP ROLE " + role);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "int|int|1|2",
                "int|bigint|1|2",
                "text|text|\"it's \\ ñ\"|b",
                "varchar(9)|text|'a '|a",
                "uuid|uuid|00000000-0000-0000-0000-00000000000A|00000000-0000-0000-0000-00000000000b",
                "date|date|2024-02-01|2024-01-02",
                "numeric(10,0)|numeric(10,0)|1|2",
                "boolean|boolean|true|false",
                "mood|mood|good|bad",
                "positive|int|1|2"
            })
    void scopeKeyMayBeOfManyTypes(String keyType, String columnType, String scope, String other) throws SQLException {
        Invariant some =
                scoped("some", Scope.table("parent", "id"), "", new Rule.AtLeast(1, rows("child", "parent_id", "")));
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("CREATE TYPE mood AS ENUM ('good', 'bad'); CREATE DOMAIN positive AS int CHECK (VALUE > 0)");
            session.run(
                    "CREATE TABLE parent (id %s); CREATE TABLE child (parent_id %s)".formatted(keyType, columnType));
            // The JDBC driver refuses another style; other clients have one.
            session.run("CREATE FUNCTION german(sql text) RETURNS void LANGUAGE plpgsql SET datestyle = 'German'"
                    + " AS 'BEGIN EXECUTE sql; END'");
            for (String value : List.of(Identifiers.quoteLiteral(scope), Identifiers.quoteLiteral(other))) {
                session.run(
                        "INSERT INTO parent VALUES (%1$s); INSERT INTO child VALUES (%1$s), (%1$s)".formatted(value));
            }
            session.run(TriggerGuard.of(some, DEFAULTS).installStatements());

            String deleteOneEach = "DELETE FROM child WHERE ctid IN (SELECT min(ctid) FROM child GROUP BY parent_id)";
            session.run(deleteOneEach);
            assertThat(session.sqlState("DELETE FROM child WHERE parent_id = " + Identifiers.quoteLiteral(scope)))
                    .isEqualTo("23514");
            assertThat(session.value("SELECT count(*) FROM cerrojo.guard")).isEqualTo("2");
            session.run("INSERT INTO child SELECT parent_id FROM child");
            session.run("SELECT german('" + deleteOneEach + "')");
            assertThat(session.rows("SELECT touched FROM cerrojo.guard")).containsExactly("1", "1");
        }
    }

    @Test
    void quotedNamesLongNamesAndOtherSchemasWork() throws SQLException {
        String name = "Invariant_whose_name_is_forty_long_12345";
        String longTable = "Table " + "x".repeat(50);
        Invariant quoted = scoped(
                name,
                Scope.table("\"user\"", "\"Key\""),
                "\"order\" AND NOT \"New\"",
                new Rule.AtLeast(
                        1,
                        rows(
                                '"' + longTable + '"',
                                "\"scope_key\"",
                                "\"select\" AND violation = $cerrojo$x$cerrojo$")));
        GuardOptions options = DEFAULTS.withSchema("My App").withOwnSchema("Own \"Schema\"");
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("CREATE SCHEMA \"My App\"");
            session.run(
                    "CREATE TABLE \"My App\".\"user\" (\"Key\" text, \"order\" boolean, \"New\" boolean, scope text)");
            session.run("CREATE TABLE \"My App\".\"%s\" (scope_key text, \"select\" boolean, violation text, new int)"
                    .formatted(longTable));
            session.run("INSERT INTO \"My App\".\"user\" VALUES ('%\\', true, false)");
            session.run("INSERT INTO \"My App\".\"%s\" VALUES ('%%\\', true, 'x')".formatted(longTable));
            session.run(TriggerGuard.of(quoted, options).installStatements());

            ServerErrorMessage error = session.error("DELETE FROM \"My App\".\"" + longTable + "\"");
            assertThat(error.getSQLState()).as(error.toString()).isEqualTo("23514");
            assertThat(error.getConstraint()).isEqualTo(name);
            session.run(TriggerGuard.of(quoted, options).dropStatements());
            session.run("DELETE FROM \"My App\".\"" + longTable + "\"");
        }
    }

    @Test
    void atMostIsKeptForInsertsAndMovedRows() throws SQLException {
        Invariant limit = scoped(
                "seats",
                Scope.table("course", "id"),
                "NOT open",
                new Rule.AtMost(2, rows("seat", "course_id", "taken")));
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("CREATE TABLE course (id int, open boolean); CREATE TABLE seat (course_id int, taken boolean)");
            session.run("INSERT INTO course VALUES (1, false), (2, false), (3, true)");
            session.run("INSERT INTO seat SELECT c, true FROM unnest('{1,1,2,3,3,3}'::int[]) AS c");
            session.run("INSERT INTO seat VALUES (1, false)");
            session.run(TriggerGuard.of(limit, DEFAULTS).installStatements());

            for (String statement : List.of(
                    "INSERT INTO seat VALUES (1, true)",
                    "UPDATE seat SET taken = true",
                    "UPDATE seat SET course_id = 2 WHERE course_id = 1",
                    "UPDATE course SET open = false",
                    "UPDATE course SET id = 3 WHERE id = 2",
                    "INSERT INTO course VALUES (3, false)")) {
                assertThat(session.sqlState(statement)).as(statement).isEqualTo("23514");
            }
            session.run("INSERT INTO seat VALUES (2, true), (3, true); DELETE FROM seat; TRUNCATE seat");
            assertThat(session.rows("SELECT scope, touched FROM cerrojo.guard")).containsExactly("2|0", "3|0");
        }
    }

    @Test
    void sumIsKeptAndOnlyStepsTowardViolationTouch() throws SQLException {
        Invariant floor = scoped(
                "balance",
                Scope.table("wallet", "id"),
                "",
                new Rule.SumAtLeast(BigDecimal.ZERO, "amount", rows("entry", "wallet_id", "")));
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("CREATE TABLE wallet (id int); CREATE TABLE entry (wallet_id int, amount numeric)");
            session.run("INSERT INTO wallet VALUES (1), (2)");
            session.run(TriggerGuard.of(floor, DEFAULTS).installStatements());

            session.run("INSERT INTO entry VALUES (1, 10), (2, 10), (1, NULL), (NULL, -5), (2, 0)");
            assertThat(session.rows("SELECT scope FROM cerrojo.guard")).isEmpty();
            session.run("INSERT INTO entry VALUES (1, -10)");
            assertThat(session.rows("SELECT scope FROM cerrojo.guard")).containsExactly("1");
            for (String statement : List.of(
                    "INSERT INTO entry VALUES (1, -0.01)",
                    "DELETE FROM entry WHERE amount > 0",
                    "UPDATE entry SET amount = amount - 1",
                    "UPDATE entry SET amount = NULL WHERE amount > 0",
                    "UPDATE entry SET wallet_id = 2 WHERE wallet_id = 1 AND amount > 0",
                    "UPDATE entry SET wallet_id = 1 WHERE wallet_id IS NULL",
                    "INSERT INTO entry VALUES (1, 'NaN'), (2, '-Infinity')")) {
                assertThat(session.sqlState(statement)).as(statement).isEqualTo("23514");
            }
            session.run("TRUNCATE entry");
        }
    }

    @Test
    void rowsAndScopesWithoutKeyTouchNothing() throws SQLException {
        Invariant some =
                scoped("some", Scope.table("parent", "id"), "", new Rule.AtLeast(1, rows("child", "parent_id", "")));
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("CREATE TABLE parent (id int); CREATE TABLE child (parent_id int)");
            session.run(TriggerGuard.of(some, DEFAULTS).installStatements());

            session.run("INSERT INTO parent VALUES (NULL); INSERT INTO child VALUES (NULL), (NULL)");
            session.run("UPDATE parent SET id = NULL; DELETE FROM child; TRUNCATE child");
            assertThat(session.rows("SELECT * FROM cerrojo.guard")).isEmpty();
        }
    }

    @Test
    void sumOverTheScopeRowItselfIsKept() throws SQLException {
        Invariant ceiling = scoped(
                "quota",
                Scope.table("account", "id"),
                "",
                new Rule.SumAtMost(BigDecimal.TEN, "used", rows("account", "id", "")));
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("CREATE TABLE account (id int PRIMARY KEY, used double precision)");
            session.run("INSERT INTO account VALUES (1, 5), (2, 10)");
            session.run(TriggerGuard.of(ceiling, DEFAULTS).installStatements());

            session.run("UPDATE account SET used = 6 WHERE id = 1; UPDATE account SET used = 3 WHERE id = 2");
            assertThat(session.sqlState("UPDATE account SET used = used + 7.5")).isEqualTo("23514");
            assertThat(session.sqlState("INSERT INTO account VALUES (3, 11)")).isEqualTo("23514");
            assertThat(session.sqlState("INSERT INTO account VALUES (3, 'NaN')"))
                    .isEqualTo("23514");
            assertThat(session.value("SELECT count(*) FROM pg_proc WHERE proname LIKE 'quota_touch%'"))
                    .isEqualTo("1");
        }
    }

    @Test
    void globalScopeIsKept() throws SQLException {
        Invariant manager = global("last_manager", new Rule.AtLeast(1, rows("app_user", "", "active AND manages")));
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("CREATE TABLE app_user (id int, active boolean DEFAULT true, manages boolean DEFAULT true)");
            session.run("INSERT INTO app_user VALUES (1), (2)");
            session.run(TriggerGuard.of(manager, DEFAULTS).installStatements());

            session.run("UPDATE app_user SET active = false WHERE id = 1");
            ServerErrorMessage error = session.error("UPDATE app_user SET manages = false");
            assertThat(error.getSQLState()).isEqualTo("23514");
            assertThat(error.getMessage()).isEqualTo("invariant last_manager is violated");
            assertThat(session.sqlState("TRUNCATE app_user")).isEqualTo("23514");
            assertThat(session.sqlState("DELETE FROM app_user")).isEqualTo("23514");
            assertThat(session.rows("SELECT scope FROM cerrojo.guard")).containsExactly("global");
        }
    }

    @Test
    void declaredWatchesAreKept() throws SQLException {
        Invariant owner = scoped(
                "owner",
                Scope.table("org", "id"),
                "",
                violatedBy(
                        "SELECT o.id FROM org o WHERE NOT EXISTS (SELECT 1 FROM member m JOIN role r USING (name)"
                                + " WHERE m.org_id = o.id AND r.owns);",
                        watch("member", "org_id"),
                        watch("role", "(SELECT min(m.org_id) FROM member m WHERE m.name = role.name)")));
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("CREATE TABLE org (id int); CREATE TABLE member (org_id int, name text)");
            session.run("CREATE TABLE role (name text, owns boolean)");
            session.run(
                    "INSERT INTO org VALUES (1); INSERT INTO member VALUES (1, 'a'); INSERT INTO role VALUES ('a', true)");
            session.run(TriggerGuard.of(owner, DEFAULTS).installStatements());

            for (String statement : List.of(
                    "DELETE FROM member",
                    "UPDATE member SET name = 'b'",
                    "UPDATE role SET owns = false",
                    "INSERT INTO org VALUES (2)",
                    "TRUNCATE role",
                    "TRUNCATE member")) {
                assertThat(session.sqlState(statement)).as(statement).isEqualTo("23514");
            }
            assertThat(session.error("DELETE FROM member").getMessage()).endsWith("(org id = 1)");
            session.run("TRUNCATE org, member, role");
            assertThat(session.rows("SELECT scope FROM cerrojo.guard")).containsExactly("all");
        }
    }

    @Test
    void declaredWatchesWithoutScopeShareOnePoint() throws SQLException {
        Invariant total = global(
                "total",
                violatedBy("SELECT sum(balance) FROM account HAVING sum(balance) <> 10", watch("account", "")));
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("CREATE TABLE account (balance int); INSERT INTO account VALUES (4), (6)");
            session.run(TriggerGuard.of(total, DEFAULTS.withDeferred(true)).installStatements());

            session.run("UPDATE account SET balance = 10 - balance; DELETE FROM account WHERE balance = 7");
            assertThat(session.sqlState("INSERT INTO account VALUES (1)")).isEqualTo("23514");
            assertThat(session.rows("SELECT scope FROM cerrojo.guard")).containsExactly("global");
        }
    }

    @Test
    void twoInvariantsOnOneTableAreKeptApart() throws SQLException {
        Invariant other = Invariants.scoped(
                "other", Scope.table("shift", "id"), "", new Rule.AtMost(3, rows("on_call", "shift_id", "")));
        try (Hospital hospital = new Hospital().guarded()) {
            Session session = hospital.session();
            session.run(TriggerGuard.of(other, DEFAULTS).installStatements());

            session.run("INSERT INTO on_call VALUES (1, 'C')");
            assertThat(session.error("INSERT INTO on_call VALUES (1, 'D')").getConstraint())
                    .isEqualTo("other");
            session.run("UPDATE on_call SET active = false WHERE doctor = 'C'");
            assertThat(session.rows("SELECT invariant, scope FROM cerrojo.guard ORDER BY 1"))
                    .containsExactly("on_call_coverage|1", "other|1");
            session.run(TriggerGuard.of(other, DEFAULTS).dropStatements());
            session.run("INSERT INTO on_call VALUES (1, 'D')");
            assertThat(session.sqlState("DELETE FROM on_call")).isEqualTo("23514");
        }
    }
}

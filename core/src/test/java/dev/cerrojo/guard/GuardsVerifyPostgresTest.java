package dev.cerrojo.guard;

import static dev.cerrojo.invariant.Invariants.element;
import static dev.cerrojo.invariant.Invariants.global;
import static dev.cerrojo.invariant.Invariants.rows;
import static dev.cerrojo.invariant.Invariants.scoped;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import dev.cerrojo.schema.Finding;
import dev.cerrojo.schema.Finding.Kind;
import dev.cerrojo.schema.Installation;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** Every way to differ that is looked for, made and found. */
class GuardsVerifyPostgresTest {
    private static final GuardOptions DEFAULTS = GuardOptions.defaults();

    static final List<Guard> UNCHANGED = List.of(
            guard(DEFAULTS),
            guard(DEFAULTS.withDeferred(true)),
            guard(DEFAULTS.withAlwaysEnabled(true)),
            guard(DEFAULTS.withOwnSchema("Own Things")),
            Guard.of(unique(), DEFAULTS),
            Guard.of(unique(), DEFAULTS.withDeferred(true)),
            Guard.of(
                    global(
                            "apart",
                            new Rule.NoOverlap("on_call", List.of(element("shift_id", "=")), Optional.of("false"))),
                    DEFAULTS));

    private static Guard guard(GuardOptions options) {
        return TriggerGuard.of(Hospital.COVERAGE, options);
    }

    private static Invariant unique() {
        return global("one", new Rule.Unique("on_call", List.of("shift_id", "doctor"), Optional.of("active")));
    }

    private static List<Finding> verify(TestDatabase database, Guard guard) throws SQLException {
        return Guards.over(database.dataSource()).verify(guard);
    }

    private static List<Kind> kinds(TestDatabase database, Guard guard) throws SQLException {
        return verify(database, guard).stream().map(Finding::kind).toList();
    }

    @ParameterizedTest
    @FieldSource("UNCHANGED")
    void nothingIsFoundInWhatWasJustInstalled(Guard guard) throws SQLException {
        try (Hospital hospital = new Hospital()) {
            assertThat(kinds(hospital.database(), guard)).containsExactly(Kind.NOT_INSTALLED);
            hospital.session().run(guard.installStatements());

            assertThat(verify(hospital.database(), guard)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DROP TRIGGER cerrojo_on_call_coverage_delete ON on_call | TRIGGER_MISSING",
                "DROP TRIGGER on_call_coverage ON cerrojo.guard | TRIGGER_MISSING",
                "ALTER TABLE on_call DISABLE TRIGGER cerrojo_on_call_coverage_update | TRIGGER_DISABLED",
                "ALTER TABLE on_call ENABLE REPLICA TRIGGER cerrojo_on_call_coverage_update | TRIGGER_DISABLED",
                "ALTER TABLE on_call ENABLE ALWAYS TRIGGER cerrojo_on_call_coverage_update | TRIGGER_MODE",
                "ALTER TABLE cerrojo.guard DISABLE TRIGGER on_call_coverage | TRIGGER_DISABLED",
                "ALTER FUNCTION cerrojo.on_call_coverage_check() STABLE | FUNCTION_CHANGED",
                "ALTER FUNCTION cerrojo.on_call_coverage_check() SECURITY DEFINER | FUNCTION_CHANGED",
                "ALTER FUNCTION cerrojo.on_call_coverage_check() SET search_path = other | FUNCTION_CHANGED",
                "ALTER FUNCTION cerrojo.on_call_coverage_touch_on_call() RESET datestyle | FUNCTION_CHANGED",
                "ALTER FUNCTION cerrojo.on_call_coverage_touch_on_call() SET role = 'none' | FUNCTION_CHANGED",
                "CREATE OR REPLACE FUNCTION cerrojo.on_call_coverage_check() RETURNS trigger LANGUAGE plpgsql"
                        + " SET search_path = public, pg_temp AS 'BEGIN RETURN NULL; END' | FUNCTION_CHANGED",
                "CREATE OR REPLACE FUNCTION cerrojo.touch_on_call_coverage(scope int) RETURNS void LANGUAGE plpgsql"
                        + " SET search_path = public, pg_temp SET datestyle = 'ISO' AS 'BEGIN END' | FUNCTION_CHANGED",
                "DROP FUNCTION cerrojo.touch_on_call_coverage | FUNCTION_MISSING",
                "CREATE ROLE {other}; ALTER FUNCTION cerrojo.on_call_coverage_touch_shift() OWNER TO {other}"
                        + " | OWNER_CHANGED",
                "ALTER TABLE cerrojo.guard ADD COLUMN more int | GUARD_TABLE_CHANGED",
                "ALTER TABLE cerrojo.guard DROP CONSTRAINT guard_pkey | GUARD_TABLE_CHANGED",
                "ALTER TABLE cerrojo.guard ENABLE ROW LEVEL SECURITY | GUARD_TABLE_CHANGED",
                "CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';"
                        + " CREATE TRIGGER swallow BEFORE INSERT OR UPDATE ON cerrojo.guard FOR EACH ROW"
                        + " EXECUTE FUNCTION swallow() | GUARD_TABLE_CHANGED",
                "DROP TABLE cerrojo.guard | GUARD_TABLE_MISSING TRIGGER_MISSING",
                "ALTER TABLE on_call ENABLE ROW LEVEL SECURITY | TABLE_UNFIT",
                "ALTER TABLE on_call RENAME qualified TO fit | NOT_READABLE",
                "ALTER TABLE on_call RENAME TO rota | TABLE_MISSING TRIGGER_UNEXPECTED TRIGGER_UNEXPECTED"
                        + " TRIGGER_UNEXPECTED NOT_READABLE",
                "ALTER TABLE on_call DISABLE TRIGGER cerrojo_on_call_coverage_delete; DELETE FROM on_call"
                        + " | TRIGGER_DISABLED VIOLATED"
            })
    void differenceIsFound(String drift, String kinds) throws SQLException {
        try (Hospital hospital = new Hospital().guarded()) {
            String other = "other_" + hospital.session().value("SELECT current_database()");
            try {
                hospital.session().run(drift.replace("{other}", other));

                assertThat(kinds(hospital.database(), guard(DEFAULTS)))
                        .isEqualTo(java.util.Arrays.stream(kinds.strip().split(" "))
                                .map(Kind::valueOf)
                                .toList());
            } finally {
                hospital.session().run("DROP SCHEMA IF EXISTS cerrojo CASCADE; DROP ROLE IF EXISTS " + other);
            }
        }
    }

    /** A trigger of the same name that never touches. */
    @Test
    void triggerThatWasMadeAnotherIsFound() throws SQLException {
        try (Hospital hospital = new Hospital().guarded()) {
            hospital.session().run("""
                    DROP TRIGGER cerrojo_on_call_coverage_delete ON on_call;
                    CREATE TRIGGER cerrojo_on_call_coverage_delete AFTER DELETE ON on_call
                      REFERENCING OLD TABLE AS cerrojo_old FOR EACH STATEMENT WHEN (false)
                      EXECUTE FUNCTION cerrojo.on_call_coverage_touch_on_call();
                    DROP TRIGGER on_call_coverage ON cerrojo.guard;
                    CREATE CONSTRAINT TRIGGER on_call_coverage AFTER INSERT OR UPDATE ON cerrojo.guard
                      DEFERRABLE FOR EACH ROW WHEN (NEW.invariant = 'other')
                      EXECUTE FUNCTION cerrojo.on_call_coverage_check()""");

            assertThat(kinds(hospital.database(), guard(DEFAULTS)))
                    .containsExactly(Kind.TRIGGER_CHANGED, Kind.TRIGGER_CHANGED);
        }
    }

    @Test
    void violatingRowsAreShown() throws SQLException {
        try (Hospital hospital = new Hospital().guarded()) {
            hospital.session().run("SET session_replication_role = replica; DELETE FROM on_call WHERE shift_id = 2");

            assertThat(verify(hospital.database(), guard(DEFAULTS)).get(0).message())
                    .isEqualTo("invariant on_call_coverage is violated by these rows:\n"
                            + "  {\"id\":2,\"count\":0,\"at_least\":1}");
        }
    }

    @Test
    void otherOptionsAreFoundEachByItself() throws SQLException {
        try (Hospital hospital = new Hospital().guarded()) {
            TestDatabase database = hospital.database();

            assertThat(kinds(database, guard(DEFAULTS.withDeferred(true)))).containsExactly(Kind.DEFERRABILITY);
            assertThat(kinds(database, guard(DEFAULTS.withAlwaysEnabled(true))))
                    .hasSize(6)
                    .containsOnly(Kind.TRIGGER_MODE);
        }
        try (Hospital hospital = new Hospital().guarded(DEFAULTS.withDeferred(true))) {
            assertThat(kinds(hospital.database(), guard(DEFAULTS))).containsExactly(Kind.DEFERRABILITY);
        }
    }

    @Test
    void otherDefinitionIsOneFinding() throws SQLException {
        try (Hospital hospital = new Hospital().guarded()) {
            Invariant old = Hospital.COVERAGE;
            Invariant other = new Invariant(
                    old.name(),
                    old.says(),
                    old.scope(),
                    old.where(),
                    new Rule.AtLeast(2, rows("on_call", "shift_id", "")));

            assertThat(kinds(hospital.database(), TriggerGuard.of(other, DEFAULTS)))
                    .containsExactly(Kind.OTHER_DEFINITION);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DROP INDEX one | NOT_INSTALLED",
                "DROP INDEX one; CREATE UNIQUE INDEX one ON on_call (shift_id, doctor, active) | CONSTRAINT_CHANGED",
                "COMMENT ON INDEX one IS NULL | CONSTRAINT_CHANGED",
                "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'one'::regclass | CONSTRAINT_NOT_VALID",
                "ALTER INDEX one RENAME TO two | NOT_INSTALLED",
                "ALTER TABLE on_call RENAME doctor TO medic; ALTER TABLE on_call ADD doctor text | CONSTRAINT_CHANGED",
                "ALTER TABLE on_call RENAME active TO was; ALTER TABLE on_call RENAME qualified TO active"
                        + " | CONSTRAINT_CHANGED"
            })
    void differenceOfAConstraintIsFound(String drift, Kind kind) throws SQLException {
        try (Hospital hospital = new Hospital()) {
            Guard guard = Guard.of(unique(), DEFAULTS);
            hospital.session().run(guard.installSql());
            hospital.session().run(drift);

            assertThat(kinds(hospital.database(), guard)).containsExactly(kind);
        }
    }

    @Test
    void constraintOfOtherOptionsOrDefinitionIsFound() throws SQLException {
        Invariant other =
                global("one", new Rule.Unique("on_call", List.of("doctor", "shift_id"), Optional.of("active")));
        try (Hospital hospital = new Hospital()) {
            hospital.session().run(Guard.of(unique(), DEFAULTS).installSql());

            assertThat(kinds(hospital.database(), Guard.of(unique(), DEFAULTS.withDeferred(true))))
                    .containsExactly(Kind.DEFERRABILITY);
            assertThat(kinds(hospital.database(), Guard.of(other, DEFAULTS))).containsExactly(Kind.OTHER_DEFINITION);
        }
    }

    private static final Invariant ADMINS =
            scoped("admins", Scope.table("org", "id"), "", new Rule.AtLeast(1, rows("member", "org_id", "admin")));

    @Test
    void partitionsThatCameLaterAndLeftAreFound() throws SQLException {
        Guard guard = TriggerGuard.of(ADMINS, DEFAULTS);
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("""
                    CREATE TABLE org (id int PRIMARY KEY);
                    CREATE TABLE member (org_id int, admin boolean) PARTITION BY LIST (org_id);
                    CREATE TABLE member_1 PARTITION OF member FOR VALUES IN (1)""");
            Guards.over(database.dataSource()).install(guard, Installation.defaults());
            assertThat(verify(database, guard)).isEmpty();

            session.run("""
                    CREATE TABLE member_2 PARTITION OF member FOR VALUES IN (2);
                    CREATE TABLE member_3 (org_id int, admin boolean);
                    INSERT INTO member_3 VALUES (3, true);
                    ALTER TABLE member ATTACH PARTITION member_3 FOR VALUES IN (3);
                    ALTER TABLE member DETACH PARTITION member_1""");

            assertThat(verify(database, guard).stream().map(finding -> finding.kind() + " " + finding.object()))
                    .containsOnly(
                            "TABLE_UNCOVERED member_2", "TABLE_UNCOVERED member_3", "TRIGGER_UNEXPECTED member_1");
            Guards.over(database.dataSource())
                    .install(guard, Installation.defaults().withReplace(true));
            assertThat(verify(database, guard)).isEmpty();
            session.run("INSERT INTO org VALUES (3)");
            assertThat(session.sqlState("DELETE FROM member_3")).isEqualTo("23514");
        }
    }
}

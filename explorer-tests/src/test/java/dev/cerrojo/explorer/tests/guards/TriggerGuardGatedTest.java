package dev.cerrojo.explorer.tests.guards;

import static dev.cerrojo.explorer.tests.guards.Sessions.leave;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.database.Arena;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.guard.GuardOptions;
import dev.cerrojo.guard.TriggerGuard;
import dev.cerrojo.invariant.SerializationPoint;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The trigger guard under raw SQL, with stops inside of each statement, before each row, and inside of COMMIT. */
class TriggerGuardGatedTest {
    private static final ProofTable TABLE = ProofTable.byLevel("raw SQL under the trigger guard, inside of statements");
    private static final String GUARD_TABLE =
            String.join(";\n", SerializationPoint.touch(Hospital.COVERAGE).setupStatements()) + ";\n";
    private static Laboratory laboratory;

    @BeforeAll
    static void open() throws SQLException {
        laboratory = new Laboratory();
    }

    @AfterAll
    static void close() throws SQLException {
        laboratory.close();
        TABLE.publish();
    }

    private static Scenario scenario(Change change, String guard) {
        return Statements.atOnce(
                Hospital.TABLES + String.join(";\n", change.setup()) + ";\n" + GUARD_TABLE + guard,
                change.invariant(),
                List.of(
                        Statements.raw(Isolation.READ_COMMITTED, change.one()),
                        Statements.raw(Isolation.READ_COMMITTED, change.other())));
    }

    private static String guard(Change change, boolean deferred) {
        return TriggerGuard.of(change.invariant(), GuardOptions.defaults().withDeferred(deferred))
                .installSql();
    }

    /** Savepoints cannot be reduced, so with gates they are too many; they are explored between statements. */
    @ParameterizedTest(name = "{0}")
    @EnumSource(value = Change.class, mode = EnumSource.Mode.MATCH_NONE, names = ".*_ROLLED_BACK")
    void holdsInsideOfStatementsWithoutADeadlock(Change change) throws SQLException {
        Exploration found = laboratory.explore(scenario(change, guard(change, false)), Arena.Gates.ON);

        TABLE.add(change.toString(), Isolation.READ_COMMITTED, found.verdict(), found.schedules());
        assertThat(found.verdict()).as("%s", found).isEqualTo(Verdict.HOLDS);
        assertThat(found.deadlocking()).isZero();
    }

    @Test
    void aDeferredGuardHoldsInsideOfCommit() throws SQLException {
        Exploration found =
                laboratory.explore(scenario(Change.BULK_UPDATE, guard(Change.BULK_UPDATE, true)), Arena.Gates.ON);

        TABLE.add(
                Change.BULK_UPDATE + ", deferred guard", Isolation.READ_COMMITTED, found.verdict(), found.schedules());
        assertThat(found.verdict()).as("%s", found).isEqualTo(Verdict.HOLDS);
        assertThat(found.deadlocking()).isZero();
    }

    /** The control of the deadlocks: a guard that touches row by row meets another in the opposite order. */
    @Test
    void aGuardThatTouchesRowByRowDeadlocks() throws SQLException {
        Exploration found = laboratory.explore(scenario(Change.BULK_UPDATE, """
                CREATE FUNCTION touch_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  INSERT INTO cerrojo.guard AS g (invariant, scope) VALUES ('on_call_coverage', NEW.shift_id::text)
                    ON CONFLICT (invariant, scope) DO UPDATE SET touched = g.touched + 1;
                  RETURN NULL;
                END $$;
                CREATE TRIGGER touch_row AFTER UPDATE ON on_call FOR EACH ROW EXECUTE FUNCTION touch_row();
                """), Arena.Gates.ON);

        TABLE.add(
                "control: a guard that touches row by row",
                Isolation.READ_COMMITTED.sql(),
                "deadlocks",
                found.schedules());
        assertThat(found.deadlocking()).isPositive();
    }

    /** The control of what holds: COMMIT is one step here, and two of them overlap. */
    @Test
    void aDeferredTriggerThatOnlyCountsIsFoundInsideOfCommit() throws SQLException {
        String counting = """
                CREATE FUNCTION count_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF EXISTS (%s) THEN RAISE EXCEPTION USING ERRCODE = '23514', MESSAGE = 'violated'; END IF;
                  RETURN NULL;
                END $$;
                CREATE CONSTRAINT TRIGGER count_only AFTER UPDATE ON on_call DEFERRABLE INITIALLY DEFERRED
                  FOR EACH ROW EXECUTE FUNCTION count_only();
                """.formatted(Hospital.COVERAGE.violationSql());
        Scenario scenario = Statements.atOnce(
                Hospital.TABLES + counting,
                Hospital.COVERAGE,
                List.of(
                        Statements.raw(Isolation.READ_COMMITTED, leave(1, "A")),
                        Statements.raw(Isolation.READ_COMMITTED, leave(1, "B"))));

        Exploration inside = laboratory.explore(scenario, Arena.Gates.ON);

        TABLE.add(
                "control: a deferred trigger that only counts",
                Isolation.READ_COMMITTED,
                inside.verdict(),
                inside.schedules());
        assertThat(inside.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(inside.serialViolation()).isFalse();
    }
}

package dev.cerrojo.explorer.tests.guards;

import static dev.cerrojo.explorer.tests.guards.Sessions.leave;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.jdbc.SessionBody;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.guard.GuardOptions;
import dev.cerrojo.guard.TriggerGuard;
import dev.cerrojo.invariant.GuardedScope;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.SerializationPoint;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Writers of other scopes do not wait, and writers of several scopes or invariants do not deadlock. */
class ScopesInterleavingTest {
    private static final ProofTable TABLE = ProofTable.byLevel("several scopes and invariants");
    private static final Invariant OTHER = Hospital.coverage("another_coverage");
    private static final SerializationPoint TOUCH = SerializationPoint.touch(Hospital.COVERAGE);
    private static final SerializationPoint TOUCH_OTHER = SerializationPoint.touch(OTHER);
    private static Hospital plain;
    private static Hospital triggered;

    @BeforeAll
    static void open() throws SQLException {
        plain = Hospital.of();
        triggered = Hospital.of()
                .guardedBy(TriggerGuard.of(Hospital.COVERAGE, GuardOptions.defaults()))
                .guardedBy(TriggerGuard.of(OTHER, GuardOptions.defaults()));
    }

    @AfterAll
    static void close() {
        plain.close();
        triggered.close();
        TABLE.publish();
    }

    /** Each point at each level where it holds; with both guards what is not one of the two already. */
    static Stream<Cell> cells() {
        return Cell.all()
                .filter(cell -> cell.expected() == Cell.Answer.HOLDS && cell.arrangement() != Arrangement.BESIDE_RAW)
                .filter(cell -> cell.arrangement() == Arrangement.APPLICATION
                        || cell.arrangement() == Arrangement.TRIGGER
                        || (cell.point().equals(Optional.of(Point.TOUCH)) && cell.level() == Isolation.READ_COMMITTED));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cells")
    void writersOfTwoScopesNeverWait(Cell cell) {
        Trial trial = ofScopes(cell, 1, 2).neverWaits().holds(Hospital.COVERAGE);

        Findings findings = trial.explore();

        TABLE.add("two scopes never wait: " + cell.row(), cell.level(), findings.verdict(), findings.schedules());
        assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.HOLDS);
        assertThat(trial.endings()).contains("[" + Trial.COMMITTED + ", " + Trial.COMMITTED + "]");
    }

    private static Trial ofScopes(Cell cell, int one, int other) {
        Trial trial = new Trial(cell.arrangement().hasTrigger() ? triggered : plain);
        return trial.session(writer(trial, cell, 0, one, "A")).session(writer(trial, cell, 1, other, "B"));
    }

    private static SessionBody writer(Trial trial, Cell cell, int writer, int shift, String doctor) {
        if (writer >= cell.arrangement().guarded()) {
            return trial.sessions().raw(cell.level(), leave(shift, doctor));
        }
        GuardedScope scope = cell.point().orElseThrow().of(Hospital.COVERAGE).at(shift);
        return trial.sessions().guarded(List.of(scope), cell.level(), leave(shift, doctor));
    }

    /** The control: writers of one scope do. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("cellsWithALock")
    void writersOfOneScopeWait(Cell cell) {
        Findings findings = ofScopes(cell, 1, 1).neverWaits().explore();

        assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.VIOLATED);
        assertThat(findings.summary()).contains("neverWaits");
    }

    static Stream<Cell> cellsWithALock() {
        return cells().filter(cell -> cell.level() == Isolation.READ_COMMITTED)
                .filter(cell -> cell.arrangement() != Arrangement.BESIDE_RAW_WITH_TRIGGER);
    }

    @Test
    void severalInvariantsNamedInOppositeOrdersNeverDeadlock() {
        neverDeadlock(
                "two invariants, named in opposite orders",
                List.of(TOUCH.at(1), TOUCH_OTHER.at(1)),
                List.of(TOUCH_OTHER.at(1), TOUCH.at(1)));
    }

    @Test
    void severalScopesNamedInOppositeOrdersNeverDeadlock() {
        neverDeadlock(
                "two scopes, named in opposite orders",
                List.of(TOUCH.at(1), TOUCH.at(2)),
                List.of(TOUCH.at(2), TOUCH.at(1)));
    }

    private static void neverDeadlock(String what, List<GuardedScope> scopes, List<GuardedScope> reversed) {
        Trial trial = new Trial(triggered).holds(Hospital.COVERAGE).neverDeadlocks();
        trial.session(trial.sessions().guarded(scopes, Isolation.READ_COMMITTED, leave(1, "A"), leave(2, "A")))
                .session(trial.sessions().guarded(reversed, Isolation.READ_COMMITTED, leave(2, "B"), leave(1, "B")));

        Findings findings = trial.explore();

        TABLE.add("never deadlock: " + what, Isolation.READ_COMMITTED, findings.verdict(), findings.schedules());
        assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.HOLDS);
        assertThat(trial.endings())
                .containsExactlyInAnyOrder(
                        "[" + Trial.COMMITTED + ", " + Trial.REFUSED + "]",
                        "[" + Trial.REFUSED + ", " + Trial.COMMITTED + "]");
    }

    @Test
    void takenByHandInOppositeOrdersInvariantsDeadlock() {
        deadlock("two invariants", TOUCH.sql("1"), TOUCH_OTHER.sql("1"));
    }

    @Test
    void takenByHandInOppositeOrdersScopesDeadlock() {
        deadlock("two scopes", TOUCH.sql("1"), TOUCH.sql("2"));
    }

    private static void deadlock(String what, String one, String other) {
        Trial trial = new Trial(plain).neverDeadlocks();
        trial.session(trial.sessions().raw(Isolation.READ_COMMITTED, one, other))
                .session(trial.sessions().raw(Isolation.READ_COMMITTED, other, one));

        Findings findings = trial.explore();

        TABLE.add(
                "control: " + what + ", taken by hand in opposite orders",
                Isolation.READ_COMMITTED.sql(),
                "deadlocks",
                findings.schedules());
        assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.VIOLATED);
        assertThat(findings.summary()).contains("neverDeadlocks");
    }
}

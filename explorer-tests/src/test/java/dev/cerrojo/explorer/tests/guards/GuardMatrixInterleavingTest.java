package dev.cerrojo.explorer.tests.guards;

import static dev.cerrojo.explorer.tests.guards.Sessions.leave;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.jdbc.SessionBody;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.guard.GuardOptions;
import dev.cerrojo.guard.TriggerGuard;
import dev.cerrojo.invariant.GuardedScope;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Two writers who each let one of the last two doctors leave, by the library's own code, in every order of their steps. */
class GuardMatrixInterleavingTest {
    private static final ProofTable TABLE = ProofTable.byLevel("two writers of one scope");
    private static Hospital plain;
    private static Hospital triggered;

    @BeforeAll
    static void open() throws SQLException {
        plain = Hospital.of();
        triggered = Hospital.of().guardedBy(TriggerGuard.of(Hospital.COVERAGE, GuardOptions.defaults()));
    }

    @AfterAll
    static void close() {
        plain.close();
        triggered.close();
        TABLE.publish();
    }

    static Stream<Cell> cells() {
        return Cell.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cells")
    void comesOutAsTheRuleSays(Cell cell) {
        Trial trial = trial(cell).holds(Hospital.COVERAGE).neverDeadlocks();

        Findings findings = trial.explore();

        TABLE.add(cell.row(), cell.level(), cell.expected(), findings.schedules());
        switch (cell.expected()) {
            case REFUSED -> assertGuardedWorkIsNotBegun(cell, trial, findings);
            case VIOLATED -> assertRaceViolates(findings);
            case HOLDS -> {
                assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.HOLDS);
                assertThat(findings.summary()).contains("complete at statement granularity");
                assertEndings(cell, trial);
            }
        }
    }

    /** Some schedules stand for others that cannot be told apart: here each is run, and the same comes out. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("touchedAtReadCommitted")
    void runningEachScheduleShowsTheSame(Cell cell) {
        Trial reduced = trial(cell).holds(Hospital.COVERAGE).neverDeadlocks();
        Trial each =
                trial(cell, Search.Mode.EXHAUSTIVE).holds(Hospital.COVERAGE).neverDeadlocks();

        assertThat(each.explore().verdict()).isEqualTo(reduced.explore().verdict());
        assertThat(each.endings()).isEqualTo(reduced.endings());
        assertThat(each.explore().schedules())
                .isGreaterThanOrEqualTo(reduced.explore().schedules());
    }

    static Stream<Cell> touchedAtReadCommitted() {
        return cells().filter(cell ->
                cell.level() == Isolation.READ_COMMITTED && cell.point().orElse(Point.TOUCH) == Point.TOUCH);
    }

    private static Trial trial(Cell cell) {
        return trial(cell, Search.Mode.REDUCED);
    }

    private static Trial trial(Cell cell, Search.Mode mode) {
        Trial trial = new Trial(cell.arrangement().hasTrigger() ? triggered : plain, mode);
        for (int writer = 0; writer < 2; writer++) {
            String doctor = writer == 0 ? "A" : "B";
            boolean guarded = writer < cell.arrangement().guarded();
            trial.session(guarded ? guarded(trial, cell, doctor) : raw(trial, cell, doctor));
        }
        return trial;
    }

    private static SessionBody guarded(Trial trial, Cell cell, String doctor) {
        GuardedScope scope = cell.point().orElseThrow().of(Hospital.COVERAGE).at(1);
        return trial.sessions().guarded(List.of(scope), cell.level(), leave(1, doctor));
    }

    /** Where a trigger guards, raw SQL needs to ask nothing. */
    private static SessionBody raw(Trial trial, Cell cell, String doctor) {
        return cell.arrangement().hasTrigger()
                ? trial.sessions().raw(cell.level(), leave(1, doctor))
                : trial.sessions().counting(cell.level(), 1, doctor);
    }

    private static void assertGuardedWorkIsNotBegun(Cell cell, Trial trial, Findings findings) {
        String raw = cell.arrangement().guarded() == 2 ? Trial.NOT_PROTECTED : Trial.COMMITTED;
        assertThat(trial.endings()).containsExactly("[" + Trial.NOT_PROTECTED + ", " + raw + "]");
        assertThat(findings.verdict()).isNotEqualTo(Verdict.VIOLATED);
    }

    private static void assertRaceViolates(Findings findings) {
        assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.VIOLATED);
        assertThat(findings.summary()).contains(Hospital.COVERAGE.name()).doesNotContain("one after another");
    }

    /** One commits; the other is answered as in the sequential case at READ COMMITTED, and maybe 40001 above. */
    private static void assertEndings(Cell cell, Trial trial) {
        String first = "[" + Trial.COMMITTED + ", " + cell.refusal(1) + "]";
        String second = "[" + cell.refusal(0) + ", " + Trial.COMMITTED + "]";
        if (cell.level() == Isolation.READ_COMMITTED) {
            assertThat(trial.endings()).containsExactlyInAnyOrder(first, second);
        } else {
            assertThat(trial.endings())
                    .contains(first, second)
                    .isSubsetOf(first, second, unserializable(cell, 1), unserializable(cell, 0));
        }
    }

    /** Guarded transactions are run again on 40001; raw SQL is not. */
    private static String unserializable(Cell cell, int writer) {
        String failed = writer < cell.arrangement().guarded() ? cell.refusal(writer) : "SQLSTATE 40001";
        return writer == 1 ? "[" + Trial.COMMITTED + ", " + failed + "]" : "[" + failed + ", " + Trial.COMMITTED + "]";
    }

    /** The controls of all cells that hold; at SERIALIZABLE the level itself is the protection, so it is off there. */
    @ParameterizedTest(name = "{0} without its protection at {1}")
    @MethodSource("controls")
    void withoutProtectionTheRaceViolates(Arrangement arrangement, Isolation level) {
        Trial trial = new Trial(plain).holds(Hospital.COVERAGE);
        for (int writer = 0; writer < 2; writer++) {
            String doctor = writer == 0 ? "A" : "B";
            trial.session(
                    writer < arrangement.guarded()
                            ? trial.sessions().checked(Hospital.COVERAGE, level, 1, leave(1, doctor))
                            : trial.sessions().counting(level, 1, doctor));
        }

        Findings findings = trial.explore();

        TABLE.add("control: " + arrangement + ", without protection", level, findings.verdict(), findings.schedules());
        assertRaceViolates(findings);
    }

    static Stream<Arguments> controls() {
        return Stream.of(Isolation.READ_COMMITTED, Isolation.REPEATABLE_READ)
                .flatMap(level -> Stream.of(Arrangement.APPLICATION, Arrangement.TRIGGER, Arrangement.BESIDE_RAW)
                        .map(arrangement -> Arguments.of(arrangement, level)));
    }

    /** A point that only locks is refused at SERIALIZABLE though the level alone would hold. */
    @ParameterizedTest(name = "{0}")
    @EnumSource(Point.class)
    void aRefusedPointWouldNotHaveProtected(Point point) {
        Arrays.stream(Isolation.values())
                .filter(level -> !point.of(Hospital.COVERAGE).holdsAt(level))
                .forEach(level -> {
                    Findings findings = sent(point, level).explore();
                    Verdict expected = level == Isolation.SERIALIZABLE ? Verdict.HOLDS : Verdict.VIOLATED;
                    TABLE.add("control: sent raw, " + point, level, findings.verdict(), findings.schedules());
                    assertThat(findings.verdict()).as(findings.text()).isEqualTo(expected);
                });
    }

    private static Trial sent(Point point, Isolation level) {
        Trial trial = new Trial(plain).holds(Hospital.COVERAGE);
        return trial.session(trial.sessions().sent(point.of(Hospital.COVERAGE), level, 1, leave(1, "A")))
                .session(trial.sessions().sent(point.of(Hospital.COVERAGE), level, 1, leave(1, "B")));
    }
}

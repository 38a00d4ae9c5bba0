package dev.cerrojo.explorer.tests.guards;

import static dev.cerrojo.explorer.tests.guards.Sessions.leave;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.jdbc.SessionBody;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.guard.GuardOptions;
import dev.cerrojo.guard.TriggerGuard;
import dev.cerrojo.invariant.SerializationPoint;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Two writers of one scope, each at a level of its own. */
class MixedLevelsInterleavingTest {
    private static final String ALL = "three writers of all three";
    private static final ProofTable TABLE = ProofTable.of(
            "two writers of one scope at two levels",
            Stream.concat(pairs().map(MixedLevelsInterleavingTest::words), Stream.of(ALL))
                    .toList());
    private static final SerializationPoint TOUCH = SerializationPoint.touch(Hospital.COVERAGE);
    private static final SerializationPoint SERIALIZABLE = SerializationPoint.serializable(Hospital.COVERAGE);
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

    private static String words(List<Isolation> pair) {
        return pair.get(0).sql() + " and " + pair.get(1).sql();
    }

    static Stream<Arguments> cells() {
        return Stream.of(Arrangement.APPLICATION, Arrangement.TRIGGER, Arrangement.BOTH)
                .flatMap(arrangement -> pairs().map(pair -> Arguments.of(arrangement, pair.get(0), pair.get(1))));
    }

    private static Stream<List<Isolation>> pairs() {
        return Arrays.stream(Isolation.values())
                .flatMap(one -> Arrays.stream(Isolation.values())
                        .filter(other -> one.compareTo(other) < 0)
                        .map(other -> List.of(one, other)));
    }

    @ParameterizedTest(name = "{0}: {1} and {2}")
    @MethodSource("cells")
    void touchAndTriggerHoldWithWritersOfTwoLevels(Arrangement arrangement, Isolation one, Isolation other) {
        Trial trial = new Trial(arrangement.hasTrigger() ? triggered : plain);
        trial.session(writer(trial, arrangement, one, "A"))
                .session(writer(trial, arrangement, other, "B"))
                .holds(Hospital.COVERAGE)
                .neverDeadlocks();

        Findings findings = trial.explore();

        TABLE.add(
                arrangement.toString(),
                words(List.of(one, other)),
                findings.verdict().name(),
                findings.schedules());
        assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.HOLDS);
        assertThat(trial.endings()).anyMatch(ending -> ending.startsWith("[" + Trial.COMMITTED));
        assertThat(trial.endings()).anyMatch(ending -> ending.endsWith(Trial.COMMITTED + "]"));
    }

    private static SessionBody writer(Trial trial, Arrangement arrangement, Isolation level, String doctor) {
        return arrangement.guarded() == 2
                ? trial.sessions().guarded(List.of(TOUCH.at(1)), level, leave(1, doctor))
                : trial.sessions().raw(level, leave(1, doctor));
    }

    /** Two may wait for one row, and which of them PostgreSQL wakes first is its own choice: inconclusive, then. */
    @Test
    void noScheduleOfThreeWritersViolates() throws SQLException {
        try (Hospital three = Hospital.of("INSERT INTO on_call VALUES (1, 'C')")
                .guardedBy(TriggerGuard.of(Hospital.COVERAGE, GuardOptions.defaults()))) {
            Trial trial = new Trial(three).holds(Hospital.COVERAGE).neverDeadlocks();
            trial.session(trial.sessions().raw(Isolation.READ_COMMITTED, leave(1, "A")))
                    .session(trial.sessions().raw(Isolation.REPEATABLE_READ, leave(1, "B")))
                    .session(trial.sessions().raw(Isolation.SERIALIZABLE, leave(1, "C")));

            Findings findings = trial.explore();

            TABLE.add(Arrangement.TRIGGER.toString(), ALL, "no violation", findings.schedules());
            assertThat(findings.verdict()).as(findings.text()).isNotEqualTo(Verdict.VIOLATED);
            assertThat(trial.endings()).anyMatch(ending -> ending.contains(Trial.REFUSED_BY_TRIGGER));
        }
    }

    /** The control: what each of the writers decides by itself does not hold. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("pairs")
    void withoutProtectionTheRaceViolates(List<Isolation> pair) {
        Trial trial = new Trial(plain);
        trial.session(trial.sessions().checked(Hospital.COVERAGE, pair.get(0), 1, leave(1, "A")))
                .session(trial.sessions().checked(Hospital.COVERAGE, pair.get(1), 1, leave(1, "B")))
                .holds(Hospital.COVERAGE);

        Findings findings = trial.explore();

        TABLE.add("control: no guard", words(pair), findings.verdict().name(), findings.schedules());
        assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.VIOLATED);
        assertThat(findings.summary()).doesNotContain("one after another");
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = Isolation.class,
            names = {"READ_COMMITTED", "REPEATABLE_READ"})
    void serializableRefusesAWriterOfAnotherLevel(Isolation level) {
        Trial trial = new Trial(plain);
        trial.session(trial.sessions().guarded(List.of(SERIALIZABLE.at(1)), Isolation.SERIALIZABLE, leave(1, "A")))
                .session(trial.sessions().guarded(List.of(SERIALIZABLE.at(1)), level, leave(1, "B")))
                .holds(Hospital.COVERAGE);

        Findings findings = trial.explore();

        TABLE.add(
                "application guard, serializable",
                words(List.of(level, Isolation.SERIALIZABLE)),
                "REFUSED",
                findings.schedules());
        assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.HOLDS);
        assertThat(trial.endings()).containsExactly("[" + Trial.COMMITTED + ", " + Trial.NOT_PROTECTED + "]");
    }

    @Test
    void sentRawOneWriterBelowSerializableBreaksIt() {
        Trial trial = new Trial(plain);
        trial.session(trial.sessions().sent(SERIALIZABLE, Isolation.SERIALIZABLE, 1, leave(1, "A")))
                .session(trial.sessions().sent(SERIALIZABLE, Isolation.READ_COMMITTED, 1, leave(1, "B")))
                .holds(Hospital.COVERAGE);

        Findings findings = trial.explore();

        TABLE.add(
                "control: sent raw, serializable",
                words(List.of(Isolation.READ_COMMITTED, Isolation.SERIALIZABLE)),
                findings.verdict().name(),
                findings.schedules());
        assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.VIOLATED);
        assertThat(findings.summary()).doesNotContain("one after another");
    }
}

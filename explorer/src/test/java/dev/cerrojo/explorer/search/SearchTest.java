package dev.cerrojo.explorer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.schedule.ChoicePoint;
import dev.cerrojo.explorer.schedule.Chooser;
import dev.cerrojo.explorer.schedule.Diverged;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.Schedule;
import dev.cerrojo.explorer.schedule.Unsettled;
import dev.cerrojo.explorer.search.FakeDatabase.Op;
import dev.cerrojo.explorer.search.FakeDatabase.Program;
import dev.cerrojo.tx.Isolation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SearchTest {
    private static final Program TRANSFER =
            Program.of(Isolation.READ_COMMITTED, new Op.Read("a"), new Op.Write("a", 1));
    private static final FakeDatabase TWO = new FakeDatabase(List.of(TRANSFER, TRANSFER));

    /** Remembers what was run, and changes it. */
    private static final class Watched implements Subject {
        private final Subject subject;
        private final UnaryOperator<Execution> change;
        final List<String> schedules = new ArrayList<>();

        Watched(Subject subject, UnaryOperator<Execution> change) {
            this.subject = subject;
            this.change = change;
        }

        @Override
        public Execution execute(Chooser chooser) {
            Execution execution = change.apply(subject.execute(chooser));
            schedules.add(execution.trace().schedule().toString());
            return execution;
        }

        @Override
        public int sessions() {
            return subject.sessions();
        }
    }

    private static Execution violated(Execution execution) {
        return new Execution(
                execution.trace(), List.of(new Violation("rule", List.of("id"), List.of(List.of("1")), 1)));
    }

    private static Exploration explore(Subject subject, Bounds bounds, Goal goal) {
        return new Search(subject, bounds, goal, Search.Mode.EXHAUSTIVE, Progress.SILENT).run();
    }

    private static Exploration explore(Subject subject) {
        return explore(subject, Bounds.none(), Goal.EVERY_SCHEDULE);
    }

    @ParameterizedTest
    @CsvSource({"1 1, 2", "2 2, 6", "3 3, 20", "1 4, 5", "2 2 2, 90", "1 2 3, 60", "1 1 1 1, 24", "4 4, 70"})
    void exhaustiveSearchRunsEveryOrderOnce(String lengths, int orders) {
        Watched subject = new Watched(new FakeDatabase(apart(lengths)), execution -> execution);

        Exploration found = explore(subject);

        assertThat(found.schedules()).isEqualTo(orders);
        assertThat(found.exhausted()).isTrue();
        assertThat(found.reduced()).isFalse();
        assertThat(new HashSet<>(subject.schedules)).hasSize(orders);
    }

    /** Programs of reads and one COMMIT, of so many steps. */
    private static List<Program> apart(String lengths) {
        return List.of(lengths.split(" ")).stream()
                .map(length -> new Program(
                        Isolation.READ_COMMITTED,
                        IntStream.range(1, Integer.parseInt(length))
                                .<Op>mapToObj(i -> new Op.Read("t"))
                                .toList()))
                .toList();
    }

    @Test
    void serialOrdersAreRunFirstAndOnlyThenCounted() {
        Watched subject = new Watched(TWO, execution -> execution);

        Exploration found = explore(subject);

        assertThat(subject.schedules.subList(0, 2)).containsExactly("AAABBB", "BBBAAA");
        assertThat(subject.schedules).hasSize((int) found.schedules() + 2);
    }

    @Test
    void fewPreemptionsComeFirst() {
        Watched subject = new Watched(new FakeDatabase(apart("3 3")), execution -> execution);

        explore(subject);

        List<Integer> preemptions =
                subject.schedules.stream().skip(2).map(SearchTest::preemptions).toList();
        assertThat(preemptions).isSorted();
        assertThat(preemptions.get(0)).isZero();
    }

    /** A turn taken away from a session that could have gone on: of three steps each. */
    private static int preemptions(String schedule) {
        int preemptions = 0;
        for (int i = 1; i < schedule.length(); i++) {
            char before = schedule.charAt(i - 1);
            long had = schedule.substring(0, i).chars().filter(c -> c == before).count();
            preemptions += schedule.charAt(i) != before && had < 3 ? 1 : 0;
        }
        return preemptions;
    }

    @Test
    void witnessIsTheOneWithTheFewestSwitches() {
        Watched subject = new Watched(
                new FakeDatabase(apart("3 3")),
                execution -> execution.trace().schedule().switches() >= 3 ? violated(execution) : execution);

        Exploration found = explore(subject);

        assertThat(found.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(found.serialViolation()).isFalse();
        assertThat(found.witness().orElseThrow().trace().schedule().switches()).isEqualTo(3);
        assertThat(found.violating())
                .isEqualTo(subject.schedules.stream()
                        .skip(2)
                        .filter(word -> Schedule.parse(word).switches() >= 3)
                        .count());
    }

    @Test
    void violationWithoutConcurrencyIsToldApart() {
        Exploration found = explore(new Watched(TWO, SearchTest::violated));

        assertThat(found.serialViolation()).isTrue();
        assertThat(found.verdict()).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void firstViolationEndsTheSearchThatLooksForOne() {
        Exploration found = explore(new Watched(TWO, SearchTest::violated), Bounds.none(), Goal.FIRST_VIOLATION);

        assertThat(found.schedules()).isEqualTo(1);
        assertThat(found.exhausted()).isFalse();
        assertThat(found.reason()).isEmpty();
        assertThat(found.verdict()).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void firstWaitEndsTheSearchThatLooksForOne() {
        Exploration found = explore(TWO, Bounds.none(), Goal.FIRST_WAIT);

        assertThat(found.waiting()).isEqualTo(1);
        assertThat(found.blocked()).isPresent();
        assertThat(found.exhausted()).isFalse();
    }

    @Test
    void firstDeadlockEndsTheSearchThatLooksForOne() {
        Exploration found = explore(crossing(2), Bounds.none(), Goal.FIRST_DEADLOCK);

        assertThat(found.deadlocking()).isEqualTo(1);
        assertThat(found.deadlock()).isPresent();
        assertThat(found.exhausted()).isFalse();
    }

    @Test
    void goalThatIsNeverReachedIsAVerdict() {
        Exploration found = explore(TWO, Bounds.none(), Goal.FIRST_VIOLATION_OR_DEADLOCK);

        assertThat(found.exhausted()).isTrue();
        assertThat(found.verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void maxSchedulesMakeItInconclusive() {
        Exploration found = explore(TWO, new Bounds(3, Duration.ofDays(1)), Goal.EVERY_SCHEDULE);

        assertThat(found.schedules()).isEqualTo(3);
        assertThat(found.exhausted()).isFalse();
        assertThat(found.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(found.reason())
                .hasValueSatisfying(reason -> assertThat(reason).contains("3 schedules"));
    }

    @Test
    void boundThatIsJustReachedIsNoReason() {
        long all = explore(TWO).schedules();

        Exploration found = explore(TWO, new Bounds(all, Duration.ofDays(1)), Goal.EVERY_SCHEDULE);

        assertThat(found.exhausted()).isTrue();
        assertThat(found.reason()).isEmpty();
    }

    @Test
    void timeoutMakesItInconclusive() {
        Exploration found = explore(TWO, new Bounds(Long.MAX_VALUE, Duration.ofNanos(1)), Goal.EVERY_SCHEDULE);

        assertThat(found.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(found.reason())
                .hasValueSatisfying(reason -> assertThat(reason).contains("--timeout"));
    }

    @ParameterizedTest
    @CsvSource({"2, EXHAUSTIVE", "3, EXHAUSTIVE", "2, REDUCED", "3, REDUCED"})
    void everyMemberOfADeadlockIsTheVictimOnce(int sessions, Search.Mode mode) {
        Exploration found =
                new Search(crossing(sessions), Bounds.none(), Goal.EVERY_SCHEDULE, mode, Progress.SILENT).run();

        Set<Integer> victims = found.endings().keySet().stream()
                .filter(ending -> ending.outcomes().stream()
                                .filter(Outcome.Failed.class::isInstance)
                                .count()
                        == 1)
                .map(ending -> IntStream.range(0, sessions)
                        .filter(i -> ending.outcomes().get(i) instanceof Outcome.Failed)
                        .findFirst()
                        .orElseThrow())
                .collect(Collectors.toSet());
        assertThat(victims).hasSize(sessions);
        assertThat(found.exhausted()).isTrue();
    }

    /** Each writes its own row, and then the next one's. */
    private static FakeDatabase crossing(int sessions) {
        return new FakeDatabase(IntStream.range(0, sessions)
                .mapToObj(i -> Program.of(
                        Isolation.READ_COMMITTED, new Op.Write("t", i), new Op.Write("t", (i + 1) % sessions)))
                .toList());
    }

    /** Does something else each time. */
    private static final class Fickle implements Subject {
        private int runs;

        @Override
        public Execution execute(Chooser chooser) {
            String table = "t" + runs++;
            Program program = Program.of(Isolation.READ_COMMITTED, new Op.Read(table), new Op.Read(table));
            return new FakeDatabase(List.of(program, program)).execute(chooser);
        }

        @Override
        public int sessions() {
            return 2;
        }
    }

    @Test
    void sessionThatDoesAnotherStepIsNotDeterministic() {
        Exploration found = explore(new Fickle());

        assertThat(found.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(found.reason())
                .hasValueSatisfying(reason -> assertThat(reason)
                        .startsWith("not deterministic: diverged at step 1: session A does")
                        .contains("where it did"));
    }

    @Test
    void stepThatDoesNotEndMakesItInconclusive() {
        Subject hanging = new Subject() {
            private int runs;

            @Override
            public Execution execute(Chooser chooser) {
                if (runs++ > 2) {
                    throw new Unsettled("after PT1S a step had neither ended nor waited");
                }
                return TWO.execute(chooser);
            }

            @Override
            public int sessions() {
                return 2;
            }
        };

        Exploration found = explore(hanging);

        assertThat(found.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(found.reason())
                .hasValueSatisfying(reason -> assertThat(reason).contains("neither ended nor waited", "following B"));
    }

    @Test
    void victimsThatCannotBeChosenMakeItInconclusive() {
        Subject unprivileged = new Subject() {
            @Override
            public Execution execute(Chooser chooser) {
                return crossing(2).execute(chooser);
            }

            @Override
            public int sessions() {
                return 2;
            }

            @Override
            public boolean controlsVictims() {
                return false;
            }
        };

        Exploration found = explore(unprivileged);

        assertThat(found.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(found.reason())
                .hasValueSatisfying(reason -> assertThat(reason).contains("deadlock_timeout"));
    }

    @Test
    void replayFollowsASchedule() {
        Execution execution = Search.replay(TWO, Schedule.parse("ABABAB").choices());

        assertThat(execution.trace().schedule()).hasToString("ABABAB");
    }

    @Test
    void replayOfAnEndedSessionNamesTheStep() {
        assertThatThrownBy(() -> Search.replay(TWO, Schedule.parse("AAAA").choices()))
                .isInstanceOf(Diverged.class)
                .hasMessageContaining("diverged at step 4: it is A's turn, but that session waits or is done");
    }

    @Test
    void replayBehindTheEndNamesTheStep() {
        assertThatThrownBy(() -> Search.replay(TWO, Schedule.parse("ABABABA").choices()))
                .isInstanceOf(Diverged.class)
                .hasMessageContaining("diverged at step 7: it is A's turn, but all is done");
    }

    @Test
    void replayOfADeadlockThatIsNoneNamesTheStep() {
        assertThatThrownBy(() -> Search.replay(TWO, Schedule.parse("A(A)").choices()))
                .isInstanceOf(Diverged.class)
                .hasMessageContaining("diverged at step 2: a deadlock with victim A was expected");
    }

    @Test
    void replayOfAVictimChoosesIt() {
        for (String word : List.of("ABAB(A)B", "ABAB(B)A")) {
            Execution execution =
                    Search.replay(crossing(2), Schedule.parse(word).choices());

            assertThat(execution.trace().schedule().toString()).startsWith(word.substring(0, 7));
        }
    }

    @Test
    void aSearchAfterSomeChoicesRunsWhatCanFollowThem() {
        Execution whole = TWO.execute(new PathChooser(List.of()));
        List<ChoicePoint> points = whole.trace().points();
        Set<String> all = schedules(List.of());
        for (int length = 0; length <= points.size(); length++) {
            String beginning = whole.trace().schedule().toString().substring(0, length);

            assertThat(schedules(points.subList(0, length)))
                    .isEqualTo(all.stream()
                            .filter(word -> word.startsWith(beginning))
                            .collect(Collectors.toSet()));
        }
    }

    private static Set<String> schedules(List<ChoicePoint> beginning) {
        Watched subject = new Watched(TWO, SearchTest::violated);
        Exploration found = Search.after(
                        subject, beginning, Bounds.none(), Goal.FIRST_WITHOUT_VIOLATION, Progress.SILENT)
                .run();
        assertThat(found.exhausted()).isTrue();
        return new HashSet<>(subject.schedules);
    }

    @Test
    void theFirstScheduleWithoutAViolationCanBeTheGoal() {
        Watched subject = new Watched(TWO, execution -> execution);

        assertThat(explore(subject, Bounds.none(), Goal.FIRST_WITHOUT_VIOLATION).exhausted())
                .isFalse();
        assertThat(subject.schedules).hasSize(1);
    }
}

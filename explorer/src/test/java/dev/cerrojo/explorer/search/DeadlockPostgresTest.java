package dev.cerrojo.explorer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.schedule.Bench;
import dev.cerrojo.explorer.schedule.Chooser;
import dev.cerrojo.explorer.schedule.Diverged;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.Schedule;
import dev.cerrojo.explorer.schedule.SessionProgram;
import dev.cerrojo.explorer.schedule.TraceEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Deadlocks and their victims, on PostgreSQL. */
@Timeout(120)
class DeadlockPostgresTest {
    private static final String SETUP = """
            CREATE TABLE t (id int PRIMARY KEY, v int NOT NULL); INSERT INTO t VALUES (1, 0), (2, 0), (3, 0);
            CREATE TABLE u (id int PRIMARY KEY)""";

    private Bench bench;

    @BeforeEach
    void open() throws SQLException {
        bench = Bench.of(SETUP, Duration.ofSeconds(10));
    }

    @AfterEach
    void close() throws SQLException {
        bench.close();
    }

    private Subject subject(SessionProgram... programs) {
        return new Subject() {
            @Override
            public Execution execute(Chooser chooser) {
                try {
                    return new Execution(bench.run(chooser, programs), List.of());
                } finally {
                    restore();
                }
            }

            @Override
            public int sessions() {
                return programs.length;
            }
        };
    }

    private void restore() {
        try {
            bench.restore();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String change(int id) {
        return "UPDATE t SET v = v + 1 WHERE id = " + id;
    }

    /** Each changes its own row, and then the next one's. */
    private SessionProgram[] crossing(int sessions) throws SQLException {
        SessionProgram[] programs = new SessionProgram[sessions];
        for (int i = 0; i < sessions; i++) {
            programs[i] = bench.session(i, change(i + 1), change((i + 1) % sessions + 1));
        }
        return programs;
    }

    private static Exploration explore(Subject subject, Search.Mode mode) {
        return new Search(subject, Bounds.none(), Goal.EVERY_SCHEDULE, mode, Progress.SILENT).run();
    }

    /** The sessions that failed in some ending in which all others committed. */
    private static Set<Integer> victims(Exploration found) {
        Set<Integer> victims = new TreeSet<>();
        for (Execution.Ending ending : found.endings().keySet()) {
            List<Integer> failed = IntStream.range(0, ending.outcomes().size())
                    .filter(i -> ending.outcomes().get(i) instanceof Outcome.Failed)
                    .boxed()
                    .toList();
            if (failed.size() == 1) {
                victims.addAll(failed);
            }
        }
        return victims;
    }

    @ParameterizedTest
    @EnumSource(Search.Mode.class)
    void eachOfTwoIsTheVictim(Search.Mode mode) throws SQLException {
        Exploration found = explore(subject(crossing(2)), mode);

        assertThat(found.reason()).isEmpty();
        assertThat(victims(found)).containsExactly(0, 1);
        assertThat(found.exhausted()).isTrue();
        assertThat(found.sqlStates()).containsExactly("40P01");
    }

    @Test
    void eachOfThreeIsTheVictim() throws SQLException {
        Exploration found = explore(subject(crossing(3)), Search.Mode.REDUCED);

        assertThat(victims(found)).containsExactly(0, 1, 2);
        assertThat(found.reason()).isEmpty();
        assertThat(found.exhausted()).isTrue();
        Execution deadlock = found.deadlock().orElseThrow();
        assertThat(deadlock.trace().events().stream().filter(TraceEvent.DeadlockFound.class::isInstance))
                .singleElement()
                .satisfies(event ->
                        assertThat(((TraceEvent.DeadlockFound) event).members()).containsExactlyInAnyOrder(0, 1, 2));
    }

    /** PostgreSQL finds a cycle on one and the same lock before any timer: who closes it is the victim. */
    @ParameterizedTest
    @EnumSource(Search.Mode.class)
    void whoClosesACycleOnOneLockIsTheVictim(Search.Mode mode) throws SQLException {
        String[] upgrade = {"LOCK TABLE u IN SHARE MODE", "LOCK TABLE u IN EXCLUSIVE MODE"};

        Exploration found = explore(subject(bench.session(0, upgrade), bench.session(1, upgrade)), mode);

        assertThat(found.reason()).isEmpty();
        assertThat(victims(found)).containsExactly(0, 1);
        assertThat(found.exhausted()).isTrue();
    }

    /** Two who share a row and both want it alone. */
    @Test
    void eachOfTwoThatShareARowIsTheVictim() throws SQLException {
        String[] upgrade = {"SELECT v FROM t WHERE id = 1 FOR SHARE", change(1)};

        Exploration found =
                explore(subject(bench.session(0, upgrade), bench.session(1, upgrade)), Search.Mode.EXHAUSTIVE);

        assertThat(victims(found)).containsExactly(0, 1);
        assertThat(found.exhausted()).isTrue();
    }

    /**
     * One that waits for two at once, which queue for what it has. Who of the two left is the next victim cannot always be
     * chosen; then it is never called complete.
     */
    @Test
    void victimsOfTwoCyclesAtOnceAreAllSeenOrItIsInconclusive() throws SQLException {
        Subject subject = subject(
                bench.session(0, "SELECT pg_advisory_xact_lock_shared(9)", change(3)),
                bench.session(1, "SELECT pg_advisory_xact_lock_shared(9)", change(3)),
                bench.session(2, change(3), "SELECT pg_advisory_xact_lock(9)"));

        Exploration found = explore(subject, Search.Mode.REDUCED);

        if (found.exhausted()) {
            assertThat(victims(found)).containsExactly(0, 1, 2);
        } else {
            assertThat(found.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
            assertThat(found.reason().orElseThrow()).startsWith("not deterministic: diverged at step ");
        }
    }

    /** One after another, with waits, and with each victim. */
    @ParameterizedTest
    @ValueSource(strings = {"AAAB", "AB", "ABAB(A)", "ABAB(B)", "ABBA(A)", "ABBA(B)"})
    void aScheduleReplaysToTheSameEnd(String word) throws SQLException {
        Subject subject = subject(crossing(2));
        Execution first = Search.replay(subject, Schedule.parse(word).choices());

        for (int i = 0; i < 100; i++) {
            Execution again = Search.replay(subject, first.trace().schedule().choices());

            assertThat(again.trace().schedule()).isEqualTo(first.trace().schedule());
            assertThat(again.ending()).isEqualTo(first.ending());
            assertThat(seen(again)).as("attempt %d", i).isEqualTo(seen(first));
        }
    }

    /** Who did what, and who waited for whom: turn by turn, since within one PostgreSQL may end two steps in either order. */
    private static List<SortedSet<String>> seen(Execution execution) {
        List<SortedSet<String>> turns = new ArrayList<>();
        for (TraceEvent event : execution.trace().events()) {
            if (event instanceof TraceEvent.Started) {
                turns.add(new TreeSet<>());
            }
            turns.get(turns.size() - 1).add(phrase(event));
        }
        return turns;
    }

    /** Messages name processes. */
    private static String phrase(TraceEvent event) {
        if (event instanceof TraceEvent.Finished finished) {
            return "Finished " + finished.session()
                    + finished.result().error().map(error -> error.sqlState()).orElse("");
        }
        return event instanceof TraceEvent.Ended ended ? "Ended " + ended.session() : event.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "AABB, 4, 'it is B''s turn, but that session waits or is done'",
        "ABABA, 5, 'a deadlock that was not there before'",
        "AAB(A), 4, 'a deadlock with victim A was expected'"
    })
    void divergenceNamesTheStep(String word, int step, String message) throws SQLException {
        Subject subject = subject(crossing(2));

        assertThatThrownBy(() -> Search.replay(subject, Schedule.parse(word).choices()))
                .isInstanceOf(Diverged.class)
                .hasMessageStartingWith("diverged at step " + step + ": ")
                .hasMessageContaining(message);
    }

    /** The same schedule, and another step in it: no verdict. */
    @Test
    void sessionThatDoesAnotherStepIsNotDeterministic() throws SQLException {
        SessionProgram even = bench.session(0, change(1), change(2));
        SessionProgram odd = bench.session(0, change(3), change(2));
        int[] runs = {0};
        SessionProgram fickle = gate -> (runs[0]++ % 2 == 0 ? even : odd).run(gate);

        Exploration found = explore(subject(fickle, bench.session(1, change(1))), Search.Mode.EXHAUSTIVE);

        assertThat(found.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(found.reason().orElseThrow()).startsWith("not deterministic: diverged at step 1: session A does");
    }
}

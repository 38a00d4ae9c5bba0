package dev.cerrojo.explorer.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.database.Arena;
import dev.cerrojo.explorer.scenario.Corpus;
import dev.cerrojo.explorer.schedule.Diverged;
import dev.cerrojo.explorer.schedule.Schedule;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.Goal;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What was found once is found again from its one line. {@code -Dcerrojo.replays=100} replays each witness as often; the
 * numbers are printed.
 */
class ReplayPostgresTest {
    private static final int REPLAYS = Integer.getInteger("cerrojo.replays", 3);
    private static final int WITNESSES = 100;

    /** Deadlocks and waits too: their replay is harder than that of a plain violation. */
    private static final Bounds FEW = new Bounds(60, Duration.ofSeconds(20));

    private int witnesses;
    private int same;
    private final List<String> diverged = new ArrayList<>();
    private final List<String> different = new ArrayList<>();

    @Test
    void replaysEndAsTheirWitnesses() throws SQLException {
        List<ExpectedVerdict> cases = Stream.concat(Corpus.facts(), Corpus.examples())
                .flatMap(ExpectedVerdict::of)
                .toList();
        for (ExpectedVerdict each : cases) {
            if (witnesses < WITNESSES) {
                replayWitnesses(each);
            }
        }

        int replays = same + diverged.size() + different.size();
        System.out.printf(
                "%d witnesses, %d replays: %d the same, %d diverged%n", witnesses, replays, same, diverged.size());
        diverged.forEach(System.out::println);
        assertThat(witnesses).isGreaterThanOrEqualTo(WITNESSES);
        // another ending that nobody noticed would be the worst
        assertThat(different).isEmpty();
        assertThat(diverged).allSatisfy(text -> assertThat(text).contains("diverged at step "));
        assertThat(same).isGreaterThanOrEqualTo((replays * 99 + 99) / 100);
    }

    private void replayWitnesses(ExpectedVerdict each) throws SQLException {
        try (Arena arena = Arena.open(TestServer.shared(), each.scenario())) {
            for (int i = 0; i < each.scenario().runs().size(); i++) {
                Subject subject =
                        arena.subject(each.scenario(), each.scenario().runs().get(i));
                Exploration found =
                        new Search(subject, FEW, Goal.EVERY_SCHEDULE, Search.Mode.REDUCED, Progress.SILENT).run();
                List<Execution> shown = Stream.of(found.witness(), found.deadlock(), found.blocked())
                        .flatMap(Optional::stream)
                        .distinct()
                        .toList();
                for (Execution witness : shown) {
                    witnesses++;
                    replay(each.name() + ", run " + (i + 1), subject, witness);
                }
            }
        }
    }

    private void replay(String name, Subject subject, Execution witness) {
        // as it is printed and read again
        ReplayToken token =
                ReplayToken.parse(ReplayToken.of(1, List.of(), witness.trace()).toString());
        Schedule schedule = token.schedule();
        for (int i = 0; i < REPLAYS; i++) {
            try {
                Execution again = Search.replay(subject, schedule.choices(), token.course());
                if (ending(again).equals(ending(witness))) {
                    same++;
                } else {
                    different.add(
                            name + ": " + schedule + " ended with " + ending(again) + ", not with " + ending(witness));
                }
            } catch (Diverged e) {
                diverged.add(name + ": " + schedule + ": " + e.getMessage());
            }
        }
    }

    private static Execution.Ending ending(Execution execution) {
        return new Execution.Ending(execution.trace().outcomes(), execution.isViolation());
    }

    /** The control: a replay that goes another way is noticed, at the step where it did. */
    @Test
    void anotherCourseIsNoticed() throws SQLException {
        ExpectedVerdict violated = Corpus.examples()
                .flatMap(ExpectedVerdict::of)
                .filter(each -> each.name().equals("on-call"))
                .findFirst()
                .orElseThrow();
        try (Arena arena = Arena.open(TestServer.shared(), violated.scenario())) {
            Subject subject = arena.subject(
                    violated.scenario(), violated.scenario().runs().get(0));
            Execution seen = Search.replay(subject, Schedule.parse("ABAB").choices());
            String course = seen.trace().course();
            char third = course.charAt(2);
            String other = course.substring(0, 2) + (third == 'a' ? 'b' : 'a') + course.substring(3);

            assertThat(Search.replay(subject, seen.trace().schedule().choices(), Optional.of(course))
                            .trace()
                            .course())
                    .isEqualTo(course);
            assertThatThrownBy(
                            () -> Search.replay(subject, seen.trace().schedule().choices(), Optional.of(other)))
                    .isInstanceOf(Diverged.class)
                    .hasMessageStartingWith("diverged at step 3: session A in \"UPDATE on_call");
        }
    }
}

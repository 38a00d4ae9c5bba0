package dev.cerrojo.explorer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.schedule.Chooser;
import dev.cerrojo.explorer.search.FakeDatabase.Op;
import dev.cerrojo.explorer.search.FakeDatabase.Program;
import dev.cerrojo.tx.Isolation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One exploration in several parts, and on several threads. */
class SplitSearchTest {
    private static final int PROGRAMS = Integer.getInteger("cerrojo.fake.programs", 100);
    private static final Bounds BOUNDS = new Bounds(20_000, Duration.ofMinutes(5));

    private static Search search(Subject subject, Search.Mode mode) {
        return new Search(subject, BOUNDS, Goal.EVERY_SCHEDULE, mode, Progress.SILENT);
    }

    private static Program reads(int steps) {
        return new Program(
                Isolation.READ_COMMITTED,
                IntStream.range(1, steps).<Op>mapToObj(i -> new Op.Read("t")).toList());
    }

    private static FakeDatabase threeTimesThree() {
        return new FakeDatabase(List.of(reads(3), reads(3), reads(3)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 16})
    void everyScheduleIsInExactlyOnePart(int parts) {
        List<String> schedules = new ArrayList<>();
        long counted = 0;
        for (int part = 1; part <= parts; part++) {
            Shard shard = new Shard(part, parts);
            Set<String> mine = new HashSet<>();
            Exploration found = search(
                            new Listening(threeTimesThree(), execution -> {
                                if (shard.has(execution.trace().schedule().choices())) {
                                    mine.add(execution.trace().schedule().toString());
                                }
                            }),
                            Search.Mode.EXHAUSTIVE)
                    .only(shard)
                    .run();
            assertThat(found.exhausted()).isTrue();
            counted += found.schedules();
            schedules.addAll(mine);
        }

        assertThat(counted).isEqualTo(1680);
        // serial orders, which are run beside, are in the parts too
        assertThat(new HashSet<>(schedules)).hasSize(1680);
        assertThat(schedules.size()).isEqualTo(1680);
    }

    @Test
    void aPartIsLessThanTheWhole() {
        Exploration part = search(threeTimesThree(), Search.Mode.EXHAUSTIVE)
                .only(new Shard(1, 4))
                .run();

        assertThat(part.schedules()).isBetween(1L, 1000L);
    }

    @ParameterizedTest
    @CsvSource({"READ_COMMITTED, 11", "REPEATABLE_READ, 12", "SERIALIZABLE, 13", "MIXED, 14"})
    void partsOfAReducedSearchTogetherFindEveryEnding(String level, long salt) {
        for (int i = 0; i < PROGRAMS; i++) {
            List<Program> programs = ReducedSearchTest.random(salt * 1_000_000 + i, level);
            Set<Execution.Ending> whole = search(new FakeDatabase(programs), Search.Mode.EXHAUSTIVE)
                    .run()
                    .endings()
                    .keySet();
            Set<Execution.Ending> together = new HashSet<>();
            int parts = 2 + i % 3;
            for (int part = 1; part <= parts; part++) {
                together.addAll(search(new FakeDatabase(programs), Search.Mode.REDUCED)
                        .only(new Shard(part, parts))
                        .run()
                        .endings()
                        .keySet());
            }
            assertThat(together).as("%s", programs).isEqualTo(whole);
        }
    }

    /** The control: without one of its parts, an exploration misses endings. */
    @Test
    void aMissingPartIsMissed() {
        boolean missed = IntStream.range(0, PROGRAMS).anyMatch(i -> {
            List<Program> programs = ReducedSearchTest.random(11_000_000 + i, "READ_COMMITTED");
            Set<Execution.Ending> one = search(new FakeDatabase(programs), Search.Mode.REDUCED)
                    .only(new Shard(1, 2))
                    .run()
                    .endings()
                    .keySet();
            return !one.equals(search(new FakeDatabase(programs), Search.Mode.EXHAUSTIVE)
                    .run()
                    .endings()
                    .keySet());
        });

        assertThat(missed).isTrue();
    }

    @Test
    void partsAreReadAsTheyAreWritten() {
        assertThat(Shard.parse("2/4")).isEqualTo(new Shard(2, 4)).hasToString("2/4");
        for (String wrong : List.of("0/4", "5/4", "1", "a/b", "1/0", "1/99999", "")) {
            assertThatThrownBy(() -> Shard.parse(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("i/n with i from 1 to n");
        }
    }

    /** Helps with copies of one subject, each on a thread of the search's. */
    private static final class Copies implements Helpers {
        private final int most;
        private final AtomicInteger lent = new AtomicInteger();
        private final CountDownLatch busy = new CountDownLatch(20);
        private final List<Program> programs;

        Copies(int most, List<Program> programs) {
            this.most = most;
            this.programs = programs;
        }

        @Override
        public int most() {
            return most;
        }

        @Override
        public void lend(Consumer<Subject> use) {
            lent.incrementAndGet();
            use.accept(new Listening(new FakeDatabase(programs), execution -> busy.countDown()));
        }

        /** The caller's own subject: it is slow enough for help, and then waits until there was some. */
        Subject own() {
            long begun = System.nanoTime();
            return new Listening(new FakeDatabase(programs), execution -> {
                if (System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(1_300)) {
                    pause();
                } else if (lent.get() > 0) {
                    await();
                }
            });
        }

        private static void pause() {
            java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(4));
        }

        private void await() {
            try {
                assertThat(busy.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Search.Mode.class)
    @Timeout(60)
    void severalThreadsFindTheSame(Search.Mode mode) {
        Program writer = Program.of(
                Isolation.READ_COMMITTED,
                new Op.Read("a"),
                new Op.Write("a", 1),
                new Op.Read("b"),
                new Op.Write("b", 2));
        List<Program> programs = List.of(writer, writer, writer);
        Exploration alone = search(new FakeDatabase(programs), mode).run();
        Copies copies = new Copies(2, programs);

        Exploration together = search(copies.own(), mode).run(copies);

        assertThat(copies.lent.get()).isPositive();
        assertThat(together.endings().keySet()).isEqualTo(alone.endings().keySet());
        assertThat(together.exhausted()).isEqualTo(alone.exhausted());
        if (mode == Search.Mode.EXHAUSTIVE) {
            assertThat(together.endings()).isEqualTo(alone.endings());
        }
    }

    @Test
    @Timeout(60)
    void aHelperThatFailsEndsTheSearch() {
        List<Program> programs = List.of(reads(3), reads(3), reads(3));
        Helpers failing = new Helpers() {
            @Override
            public int most() {
                return 1;
            }

            @Override
            public void lend(Consumer<Subject> use) {
                throw new IllegalStateException("no helper today");
            }
        };
        long begun = System.nanoTime();
        Subject slow = new Listening(new FakeDatabase(programs), execution -> {
            if (System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(1_200)) {
                Copies.pause();
            }
        });
        Search search = search(slow, Search.Mode.EXHAUSTIVE);

        assertThatThrownBy(() -> search.run(failing))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no helper today");
    }

    @Test
    void chanceIsRepeatedByItsSeed() {
        assertThat(byChance(50, 7)).hasSize(50 + 6).isEqualTo(byChance(50, 7)).isNotEqualTo(byChance(50, 8));
        assertThat(new HashSet<>(byChance(500, 1)).size()).isGreaterThan(100);
    }

    private static List<String> byChance(int schedules, long seed) {
        List<String> run = Collections.synchronizedList(new ArrayList<>());
        Exploration found = Search.byChance(
                        new Listening(
                                threeTimesThree(),
                                execution ->
                                        run.add(execution.trace().schedule().toString())),
                        new Sample(schedules, seed),
                        BOUNDS,
                        Goal.EVERY_SCHEDULE,
                        Progress.SILENT)
                .run();
        assertThat(found.schedules()).isEqualTo(schedules);
        assertThat(found.exhausted()).isFalse();
        assertThat(found.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(found.reason())
                .hasValueSatisfying(reason ->
                        assertThat(reason).contains(schedules + " schedules were run by chance (seed " + seed + ")"));
        return run;
    }

    /** Hears of each execution. */
    private record Listening(Subject subject, Consumer<Execution> heard) implements Subject {
        @Override
        public Execution execute(Chooser chooser) {
            Execution execution = subject.execute(chooser);
            heard.accept(execution);
            return execution;
        }

        @Override
        public int sessions() {
            return subject.sessions();
        }
    }
}

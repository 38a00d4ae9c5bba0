package dev.cerrojo.explorer.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.check.SearchComparison;
import dev.cerrojo.explorer.schedule.Move;
import dev.cerrojo.explorer.search.FakeDatabase.Op;
import dev.cerrojo.explorer.search.FakeDatabase.Program;
import dev.cerrojo.tx.Isolation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The algorithm, on a database in memory. {@code -Dcerrojo.fake.programs=100000} tries more programs. */
class ReducedSearchTest {
    private static final int PROGRAMS = Integer.getInteger("cerrojo.fake.programs", 400);

    static Exploration explore(Subject subject, Search.Mode mode) {
        return new Search(
                        subject,
                        new Bounds(20_000, Bounds.none().timeout()),
                        Goal.EVERY_SCHEDULE,
                        mode,
                        Progress.SILENT)
                .run();
    }

    private static SearchComparison compare(Subject subject) {
        return new SearchComparison(
                1, "", explore(subject, Search.Mode.EXHAUSTIVE), explore(subject, Search.Mode.REDUCED));
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void sessionsWithNothingInCommonRunInOneOrder(Isolation isolation) {
        FakeDatabase apart = new FakeDatabase(IntStream.range(0, 4)
                .mapToObj(i -> Program.of(isolation, new Op.Read("t" + i), new Op.Write("t" + i, 1)))
                .toList());

        assertThat(explore(apart, Search.Mode.REDUCED).schedules()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void sessionApartDoesNotMultiplySchedules(Isolation isolation) {
        Program one = Program.of(isolation, new Op.Read("a"), new Op.Read("a"));
        Program another = Program.of(isolation, new Op.Write("a", 1), new Op.Write("a", 2));
        Program apart = Program.of(isolation, new Op.Read("b"), new Op.Write("b", 1));

        long two = explore(new FakeDatabase(List.of(one, another)), Search.Mode.REDUCED)
                .schedules();
        long three = explore(new FakeDatabase(List.of(one, another, apart)), Search.Mode.REDUCED)
                .schedules();

        assertThat(three).isEqualTo(two);
    }

    @Test
    void readersOfOneTableRunInOneOrder() {
        Program reader = Program.of(Isolation.READ_COMMITTED, new Op.Read("a"), new Op.Read("a"));

        assertThat(explore(new FakeDatabase(List.of(reader, reader, reader)), Search.Mode.REDUCED)
                        .schedules())
                .isEqualTo(1);
    }

    /** PostgreSQL fails the one in the middle if the third committed before the first, which have nothing in common. */
    @Test
    void commitsOfSessionsThatMeetByAThirdAreOrdered() {
        for (int i = 0; i < 2; i++) {
            Program first = Program.of(Isolation.SERIALIZABLE, new Op.Read("a"));
            Program middle = Program.of(Isolation.SERIALIZABLE, new Op.Read("b"), new Op.Write("a", 1));
            Program third = Program.of(Isolation.SERIALIZABLE, new Op.Write("b", 1));

            SearchComparison comparison =
                    compare(new FakeDatabase(i == 0 ? List.of(first, middle, third) : List.of(third, middle, first)));

            assertThat(comparison.result()).as("%s", comparison).isEqualTo(SearchComparison.Result.EQUAL);
        }
    }

    /** Which endings there are does not say in which order a search finds them. */
    @ParameterizedTest
    @CsvSource({"READ_COMMITTED, 1", "REPEATABLE_READ, 2", "SERIALIZABLE, 3", "MIXED, 4"})
    void findsTheEndingsOfRandomPrograms(String level, long salt) {
        for (int i = 0; i < PROGRAMS; i++) {
            long seed = salt * 1_000_000 + i;
            List<Program> programs = random(seed, level);

            SearchComparison comparison = compare(new FakeDatabase(programs));

            assertThat(comparison.result())
                    .as("seed %d: %s%n%s", seed, programs, comparison)
                    .isEqualTo(SearchComparison.Result.EQUAL);
            assertThat(comparison.reduced().schedules())
                    .isLessThanOrEqualTo(comparison.exhaustive().schedules());
        }
    }

    /** The control: random programs tell a notion of dependence that forgets who sees a COMMIT. */
    @ParameterizedTest
    @CsvSource({"READ_COMMITTED, 1", "REPEATABLE_READ, 2", "SERIALIZABLE, 3", "MIXED, 4"})
    void randomProgramsShowThatADependenceIsForgotten(String level, long salt) {
        boolean found = IntStream.range(0, PROGRAMS)
                .mapToObj(i -> new FakeDatabase(random(salt * 1_000_000 + i, level)))
                .anyMatch(programs -> compareForgetfully(programs).result() == SearchComparison.Result.DIFFERENT);

        assertThat(found).isTrue();
    }

    private static SearchComparison compareForgetfully(Subject subject) {
        Dependence forgetful = new Dependence(false) {
            @Override
            boolean between(Move one, Move other) {
                return !hasEnd(one) && !hasEnd(other) && super.between(one, other);
            }
        };
        return new SearchComparison(
                1,
                "",
                explore(subject, Search.Mode.EXHAUSTIVE),
                new Search(subject, Bounds.none(), Goal.EVERY_SCHEDULE, new ReducedFrontier(forgetful), Progress.SILENT)
                        .run());
    }

    private static boolean hasEnd(Move move) {
        return move.effects().stream().anyMatch(effect -> effect.step().isEnd());
    }

    static List<Program> random(long seed, String level) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Program> programs = new ArrayList<>();
        int sessions = 2 + random.nextInt(2);
        int tables = 1 + random.nextInt(3);
        for (int session = 0; session < sessions; session++) {
            List<Op> ops = new ArrayList<>();
            int steps = sessions == 2 ? 2 + random.nextInt(3) : 1 + random.nextInt(2);
            for (int step = 0; step < steps; step++) {
                ops.add(random(random, tables));
            }
            programs.add(new Program(isolation(random, level), ops));
        }
        return programs;
    }

    private static Isolation isolation(SplittableRandom random, String level) {
        return level.equals("MIXED") ? Isolation.values()[random.nextInt(3)] : Isolation.valueOf(level);
    }

    private static Op random(SplittableRandom random, int tables) {
        String table = String.valueOf((char) ('a' + random.nextInt(tables)));
        return switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> new Op.Read(table);
            case 4, 5, 6, 7 -> new Op.Write(table, random.nextInt(2));
            case 8 -> new Op.Lock(String.valueOf(random.nextInt(2)));
            default -> random.nextBoolean() ? new Op.Commit() : new Op.Rollback();
        };
    }
}

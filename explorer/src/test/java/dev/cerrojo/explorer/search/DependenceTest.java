package dev.cerrojo.explorer.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.schedule.Effect;
import dev.cerrojo.explorer.schedule.Footprint;
import dev.cerrojo.explorer.schedule.Move;
import dev.cerrojo.explorer.schedule.StepInfo;
import dev.cerrojo.explorer.schedule.StepInfo.Kind;
import dev.cerrojo.tx.Isolation;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each rule of what may be told apart by its order; all that pruning is right about stands on them. */
class DependenceTest {
    private static final int A = 0;
    private static final int B = 1;
    private static final int C = 2;

    private final Dependence dependence = new Dependence(false);

    private static Footprint reads(String... names) {
        return new Footprint(Set.of(names), Set.of(), Set.of(), false);
    }

    private static Footprint writes(String... names) {
        return new Footprint(Set.of(), Set.of(names), Set.of(), false);
    }

    private static Footprint locksOut(String name) {
        return new Footprint(Set.of(), Set.of(name), Set.of(name), false);
    }

    private static Effect effect(int session, StepInfo step, Footprint footprint) {
        return new Effect(session, step, footprint);
    }

    private static StepInfo statement(Isolation isolation, boolean takesSnapshot) {
        return new StepInfo(Kind.STATEMENT, "statement", "", isolation, takesSnapshot);
    }

    private static Move move(int session, StepInfo step, Footprint footprint) {
        return new Move(session, List.of(effect(session, step, footprint)));
    }

    /** A statement that does not take its transaction's snapshot. */
    private static Move later(int session, Isolation isolation, Footprint footprint) {
        return move(session, statement(isolation, false), footprint);
    }

    /** A statement that may take its transaction's snapshot. */
    private static Move first(int session, Isolation isolation, Footprint footprint) {
        return move(session, statement(isolation, true), footprint);
    }

    private static Move commit(int session, Isolation isolation, Footprint footprint) {
        return move(session, StepInfo.commit(isolation), footprint);
    }

    private static Move rollback(int session, Isolation isolation, Footprint footprint) {
        return move(session, StepInfo.rollback(isolation), footprint);
    }

    private void assertDependent(Move one, Move other) {
        assertThat(dependence.between(one, other)).isTrue();
        assertThat(dependence.between(other, one)).as("the other way round").isTrue();
    }

    private void assertIndependent(Move one, Move other) {
        assertThat(dependence.between(one, other)).isFalse();
        assertThat(dependence.between(other, one)).as("the other way round").isFalse();
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void stepsOfOneSessionDepend(Isolation isolation) {
        assertDependent(later(A, isolation, Footprint.NONE), commit(A, isolation, Footprint.NONE));
    }

    /** A failed step, or one of several statements: nothing tells what it touched. */
    @ParameterizedTest
    @EnumSource(Isolation.class)
    void whatMayHaveTouchedAnythingDependsOnAll(Isolation isolation) {
        Move failed = later(A, isolation, Footprint.EVERYTHING);

        assertDependent(failed, later(B, isolation, Footprint.NONE));
        assertDependent(failed, commit(B, isolation, Footprint.NONE));
        assertDependent(failed, rollback(B, isolation, Footprint.NONE));
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void whatHasNothingInCommonIsIndependent(Isolation isolation) {
        assertIndependent(later(A, isolation, writes("a")), later(B, isolation, writes("b")));
        assertIndependent(later(A, isolation, writes("a")), commit(B, isolation, writes("b")));
        assertIndependent(commit(A, isolation, writes("a")), commit(B, isolation, writes("b")));
    }

    @Nested
    class TwoStatements {
        @ParameterizedTest
        @EnumSource(Isolation.class)
        void thatWriteTheSameDepend(Isolation isolation) {
            assertDependent(later(A, isolation, writes("t")), later(B, isolation, writes("t", "u")));
        }

        @ParameterizedTest
        @EnumSource(Isolation.class)
        void thatReadTheSameAreIndependent(Isolation isolation) {
            assertIndependent(later(A, isolation, reads("t")), later(B, isolation, reads("t")));
        }

        /** What is not committed is not seen. */
        @ParameterizedTest
        @CsvSource({"READ_COMMITTED, false", "REPEATABLE_READ, false", "SERIALIZABLE, true"})
        void ofWhichOneReadsWhatTheOtherWritesDependOnlyWhereThatIsAConflict(Isolation isolation, boolean dependent) {
            Move reader = later(A, isolation, reads("t"));
            Move writer = later(B, isolation, writes("t"));

            if (dependent) {
                assertDependent(reader, writer);
            } else {
                assertIndependent(reader, writer);
            }
        }

        /** Which of two levels is the serializable one does not matter here. */
        @Test
        void meetAsAtTheStricterOfTwoLevels() {
            assertDependent(
                    later(A, Isolation.READ_COMMITTED, reads("t")), later(B, Isolation.SERIALIZABLE, writes("t")));
            assertDependent(
                    later(A, Isolation.SERIALIZABLE, reads("t")), later(B, Isolation.REPEATABLE_READ, writes("t")));
        }

        @ParameterizedTest
        @EnumSource(Isolation.class)
        void ofWhichOneLocksReadersOutDepend(Isolation isolation) {
            assertDependent(later(A, isolation, reads("t")), later(B, isolation, locksOut("t")));
            assertDependent(later(A, isolation, writes("t")), later(B, isolation, locksOut("t")));
        }
    }

    @Nested
    class AStatementAndACommit {
        @ParameterizedTest
        @CsvSource({"READ_COMMITTED, true", "REPEATABLE_READ, false"})
        void thatTheStatementCanSeeDepend(Isolation isolation, boolean sees) {
            Move reader = later(A, isolation, reads("t"));
            Move commit = commit(B, Isolation.READ_COMMITTED, writes("t"));

            assertThat(dependence.between(reader, commit)).isEqualTo(sees);
            assertThat(dependence.between(commit, reader)).isEqualTo(sees);
        }

        /** It waits for the COMMIT, or fails by it. */
        @ParameterizedTest
        @EnumSource(Isolation.class)
        void ofWhatTheStatementWritesDepend(Isolation isolation) {
            assertDependent(later(A, isolation, writes("t")), commit(B, isolation, writes("t")));
        }

        @ParameterizedTest
        @EnumSource(
                value = Isolation.class,
                names = {"READ_COMMITTED", "REPEATABLE_READ"})
        void ofATransactionThatOnlyReadAreIndependent(Isolation isolation) {
            assertIndependent(first(A, isolation, reads("t")), commit(B, isolation, reads("t")));
            assertIndependent(first(A, isolation, writes("t")), commit(B, isolation, reads("t")));
        }

        @ParameterizedTest
        @EnumSource(Isolation.class)
        void ofATransactionThatLockedReadersOutDepend(Isolation isolation) {
            assertDependent(later(A, isolation, reads("t")), commit(B, isolation, locksOut("t")));
        }

        /** The snapshot decides what the whole transaction will see, whatever the statement itself touches. */
        @Test
        void dependByAllThatTheSnapshotIsTakenFor() {
            Move first = first(A, Isolation.REPEATABLE_READ, reads("u"));
            Move commit = commit(B, Isolation.READ_COMMITTED, writes("t"));
            assertIndependent(first, commit);

            assertThat(dependence.learn(later(A, Isolation.REPEATABLE_READ, reads("t"))))
                    .isTrue();

            assertDependent(first, commit);
            assertIndependent(later(A, Isolation.REPEATABLE_READ, reads("u")), commit);
            assertIndependent(first(C, Isolation.REPEATABLE_READ, reads("u")), commit);
        }

        @Test
        void dependByTheLevelOfTheStatementAlone() {
            assertDependent(
                    later(A, Isolation.READ_COMMITTED, reads("t")), commit(B, Isolation.REPEATABLE_READ, writes("t")));
            assertIndependent(
                    later(A, Isolation.REPEATABLE_READ, reads("t")), commit(B, Isolation.READ_COMMITTED, writes("t")));
        }
    }

    @Nested
    class AStatementAndARollback {
        @ParameterizedTest
        @EnumSource(
                value = Isolation.class,
                names = {"READ_COMMITTED", "REPEATABLE_READ"})
        void areIndependentWhereTheStatementReads(Isolation isolation) {
            assertIndependent(first(A, isolation, reads("t")), rollback(B, isolation, writes("t")));
        }

        @ParameterizedTest
        @EnumSource(Isolation.class)
        void dependWhereTheStatementWouldWait(Isolation isolation) {
            assertDependent(first(A, isolation, writes("t")), rollback(B, isolation, writes("t")));
            assertDependent(first(A, isolation, reads("t")), rollback(B, isolation, locksOut("t")));
        }
    }

    @Nested
    class TwoEnds {
        @ParameterizedTest
        @EnumSource(
                value = Isolation.class,
                names = {"READ_COMMITTED", "REPEATABLE_READ"})
        void areIndependent(Isolation isolation) {
            assertIndependent(commit(A, isolation, writes("t")), commit(B, isolation, writes("t")));
            assertIndependent(commit(A, isolation, writes("t")), rollback(B, isolation, writes("t")));
        }

        /** What a COMMIT lets go on is an effect of the same move. */
        @Test
        void dependWhenOneLetsAStatementGoOnThatSeesTheOther() {
            Move waking = new Move(
                    A,
                    List.of(
                            effect(A, StepInfo.commit(Isolation.READ_COMMITTED), writes("t")),
                            effect(C, statement(Isolation.READ_COMMITTED, false), reads("u"))));

            assertDependent(waking, commit(B, Isolation.READ_COMMITTED, writes("u")));
            assertIndependent(waking, commit(B, Isolation.READ_COMMITTED, writes("v")));
        }
    }

    /** Conflicts link sessions that ran at once; in a chain of them, who ends first decides who fails. */
    @Nested
    class AtSerializableAnEnd {
        private void learn(int session, Footprint footprint) {
            dependence.learn(later(session, Isolation.SERIALIZABLE, footprint));
        }

        @Test
        void dependsOnEachStepOfASessionThatItConflictsWith() {
            learn(A, reads("t"));
            learn(B, writes("t"));

            for (Move end : List.of(
                    commit(A, Isolation.SERIALIZABLE, reads("t")), rollback(A, Isolation.SERIALIZABLE, reads("t")))) {
                assertDependent(end, later(B, Isolation.SERIALIZABLE, Footprint.NONE));
                assertDependent(end, commit(B, Isolation.SERIALIZABLE, writes("t")));
                assertDependent(end, rollback(B, Isolation.SERIALIZABLE, writes("t")));
            }
        }

        @Test
        void dependsOnASessionThatAThirdLinksItTo() {
            learn(A, reads("t"));
            learn(B, writes("t"));
            learn(B, reads("u"));
            learn(C, writes("u"));

            assertDependent(
                    commit(A, Isolation.SERIALIZABLE, reads("t")), commit(C, Isolation.SERIALIZABLE, writes("u")));
            assertDependent(
                    commit(C, Isolation.SERIALIZABLE, writes("u")), first(A, Isolation.SERIALIZABLE, reads("t")));
        }

        @Test
        void isIndependentOfSessionsThatNothingLinksItTo() {
            learn(A, reads("t"));
            learn(B, writes("u"));
            learn(C, reads("t"));

            assertIndependent(
                    commit(A, Isolation.SERIALIZABLE, reads("t")), commit(B, Isolation.SERIALIZABLE, writes("u")));
            // two that only read are no conflict
            assertIndependent(
                    commit(A, Isolation.SERIALIZABLE, reads("t")), commit(C, Isolation.SERIALIZABLE, reads("t")));
        }

        @Test
        void dependsAlsoWhenOnlyOneOfTheTwoIsSerializable() {
            learn(A, reads("t"));
            learn(B, writes("t"));

            assertDependent(
                    commit(A, Isolation.SERIALIZABLE, reads("t")), commit(B, Isolation.READ_COMMITTED, writes("t")));
            assertIndependent(
                    commit(A, Isolation.READ_COMMITTED, reads("t")), commit(B, Isolation.REPEATABLE_READ, writes("t")));
        }
    }

    @Nested
    class Learning {
        private final Move seen = later(A, Isolation.READ_COMMITTED, reads("t"));

        @Test
        void tellsWhetherMoreIsKnownThanBefore() {
            assertThat(dependence.learn(seen)).isTrue();
            assertThat(dependence.learn(seen)).isFalse();
            assertThat(dependence.learn(later(A, Isolation.READ_COMMITTED, reads("t", "u"))))
                    .isTrue();
            assertThat(dependence.learn(later(A, Isolation.READ_COMMITTED, reads("u"))))
                    .isFalse();
            assertThat(dependence.learn(later(A, Isolation.READ_COMMITTED, writes("t"))))
                    .as("written, where it was only read")
                    .isTrue();
        }

        @Test
        void lastsForTheSameStepOfTheSameSession() {
            dependence.learn(seen);

            Move commit = commit(C, Isolation.READ_COMMITTED, writes("t"));
            assertDependent(later(A, Isolation.READ_COMMITTED, Footprint.NONE), commit);
            assertIndependent(later(B, Isolation.READ_COMMITTED, Footprint.NONE), commit);
            assertIndependent(
                    move(
                            A,
                            new StepInfo(Kind.STATEMENT, "another", "", Isolation.READ_COMMITTED, false),
                            Footprint.NONE),
                    commit);
        }

        /** A statement that fails once is not assumed to touch all from then on. */
        @Test
        void ofAFailedStepIsNothing() {
            assertThat(dependence.learn(later(A, Isolation.READ_COMMITTED, Footprint.EVERYTHING)))
                    .isFalse();

            assertIndependent(
                    later(A, Isolation.READ_COMMITTED, Footprint.NONE),
                    later(B, Isolation.READ_COMMITTED, writes("t")));
        }

        @Test
        void countsWhatWasLetGoOn() {
            dependence.learn(new Move(
                    B,
                    List.of(
                            effect(B, StepInfo.commit(Isolation.READ_COMMITTED), Footprint.NONE),
                            effect(A, statement(Isolation.READ_COMMITTED, false), reads("t")))));

            assertDependent(
                    later(A, Isolation.READ_COMMITTED, Footprint.NONE),
                    commit(C, Isolation.READ_COMMITTED, writes("t")));
        }
    }

    /** {@code now()} tells which of two transactions began first, though they share nothing. */
    @Nested
    class WhereBeginningsCanBeTold {
        private final Dependence ordering = new Dependence(true);

        @ParameterizedTest
        @EnumSource(Isolation.class)
        void twoThatMayBeginDepend(Isolation isolation) {
            Move one = first(A, isolation, reads("t"));
            Move other = first(B, isolation, reads("u"));

            assertThat(ordering.between(one, other)).isTrue();
            assertIndependent(one, other);
        }

        @Test
        void laterStatementsDoNot() {
            assertThat(ordering.between(
                            first(A, Isolation.READ_COMMITTED, reads("t")),
                            later(B, Isolation.READ_COMMITTED, reads("u"))))
                    .isFalse();
        }
    }

    /** Sleep sets ask in one direction, races in the other. */
    @Test
    void isTheSameInBothDirections() {
        for (long seed = 0; seed < 2_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Dependence learned = new Dependence(random.nextBoolean());
            for (int i = 0; i < 6; i++) {
                learned.learn(random(random));
            }
            Move one = random(random);
            Move other = random(random);

            assertThat(learned.between(one, other))
                    .as("seed %d: %s and %s", seed, one, other)
                    .isEqualTo(learned.between(other, one));
        }
    }

    private static Move random(SplittableRandom random) {
        int session = random.nextInt(3);
        Isolation isolation = Isolation.values()[random.nextInt(3)];
        StepInfo step = switch (random.nextInt(4)) {
            case 0 -> StepInfo.commit(isolation);
            case 1 -> StepInfo.rollback(isolation);
            default -> statement(isolation, random.nextBoolean());
        };
        String table = String.valueOf((char) ('a' + random.nextInt(3)));
        Footprint footprint = random.nextBoolean() ? reads(table) : writes(table);
        List<Effect> effects = random.nextInt(4) == 0
                ? List.of(
                        effect(session, step, footprint),
                        effect((session + 1) % 3, statement(isolation, false), footprint))
                : List.of(effect(session, step, footprint));
        return new Move(session, effects);
    }
}

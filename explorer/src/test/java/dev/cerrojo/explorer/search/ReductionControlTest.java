package dev.cerrojo.explorer.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.check.SearchComparison;
import dev.cerrojo.explorer.database.Arena;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.schedule.Effect;
import dev.cerrojo.explorer.schedule.Move;
import dev.cerrojo.explorer.schedule.StepInfo;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The control of all comparisons of the reduced with the exhaustive search: each rule of {@link Dependence}, left out, loses
 * an ending, and the comparison says so. With the rule none is lost.
 */
class ReductionControlTest {
    /** A way to be wrong, and the smallest scenario that shows it. */
    enum Mistake {
        NOTHING_DEPENDS((one, other) -> false, move -> move, """
                transactions:
                  double: {steps: [{write: UPDATE t SET v = v * 2 WHERE id = 1}]}
                  add: {steps: [{write: UPDATE t SET v = v + 1 WHERE id = 1}]}
                run: [double(), add()]
                """),

        /** Who waits for whom is decided by which of two statements comes first. */
        STATEMENTS_DO_NOT_WAIT((one, other) -> hasEnd(one) || hasEnd(other), move -> move, """
                transactions:
                  double: {steps: [{write: UPDATE t SET v = v * 2 WHERE id = 1}]}
                  add: {steps: [{write: UPDATE t SET v = v + 1 WHERE id = 1}]}
                run: [double(), add()]
                """),

        COMMITS_ARE_NOT_SEEN((one, other) -> !hasEnd(one) && !hasEnd(other), move -> move, """
                transactions:
                  add: {steps: [{write: UPDATE t SET v = v + 1 WHERE id = 1}]}
                  look: {steps: [{read: SELECT v FROM t WHERE id = 1}]}
                run: [add(), look()]
                """),

        /** The first statement touches nothing of the other's, and decides what the second will see. */
        SNAPSHOTS_ARE_NOT_TAKEN((one, other) -> true, ReductionControlTest::withoutSnapshot, """
                isolation: repeatable read
                transactions:
                  add: {steps: [{write: UPDATE t SET v = v + 1 WHERE id = 1}]}
                  look: {steps: [{read: SELECT w FROM u}, {read: SELECT v FROM t WHERE id = 1}]}
                run: [add(), look()]
                """),

        /** The sum is read, old, before the wait; the function looks again, behind it. */
        WHAT_A_COMMIT_LETS_GO_ON_IS_FORGOTTEN((one, other) -> true, ReductionControlTest::onlyItsOwnStep, """
                transactions:
                  hold: {steps: [{write: SELECT pg_advisory_xact_lock(1)}]}
                  wait: {steps: [{read: "SELECT w, w_behind_lock() AS later FROM u"}]}
                  change: {steps: [{write: UPDATE u SET w = w + 1}]}
                run: [hold(), wait(), change()]
                """),

        CONFLICTS_DO_NOT_LINK((one, other) -> true, ReductionControlTest::atRepeatableRead, """
                isolation: serializable
                transactions:
                  auditor: {steps: [{read: SELECT sum(v) AS total FROM t}]}
                  clerk: {steps: [{read: SELECT w FROM u WHERE id = 1}, {write: "INSERT INTO t SELECT 3, :w"}]}
                  manager: {steps: [{write: UPDATE u SET w = 7 WHERE id = 1}]}
                run: [manager(), auditor(), clerk()]
                """);

        private final BiPredicate<Move, Move> asks;
        private final UnaryOperator<Move> sees;
        private final String scenario;

        Mistake(BiPredicate<Move, Move> asks, UnaryOperator<Move> sees, String scenario) {
            this.asks = asks;
            this.sees = sees;
            this.scenario = scenario;
        }

        Scenario scenario() {
            return ScenarioReader.read(name() + ".yaml", SETUP + scenario);
        }

        Dependence wrong() {
            return new Dependence(false) {
                @Override
                boolean learn(Move move) {
                    return super.learn(sees.apply(move));
                }

                @Override
                boolean between(Move one, Move other) {
                    return asks.test(one, other) && super.between(sees.apply(one), sees.apply(other));
                }
            };
        }
    }

    private static final String SETUP = """
            setup: |
              CREATE TABLE t (id int PRIMARY KEY, v int NOT NULL); INSERT INTO t VALUES (1, 10), (2, 20);
              CREATE TABLE u (id int PRIMARY KEY, w int NOT NULL); INSERT INTO u VALUES (1, 5);
              CREATE FUNCTION w_behind_lock() RETURNS int LANGUAGE plpgsql AS $$ BEGIN
                PERFORM pg_advisory_xact_lock(1); RETURN (SELECT w FROM u); END $$;
            invariant: SELECT 1 FROM t WHERE v < 0
            """;

    private static boolean hasEnd(Move move) {
        return move.effects().stream().anyMatch(effect -> effect.step().isEnd());
    }

    private static Move onlyItsOwnStep(Move move) {
        return new Move(
                move.session(),
                move.effects().subList(0, Math.min(1, move.effects().size())));
    }

    private static Move withoutSnapshot(Move move) {
        return changed(move, step -> new StepInfo(step.kind(), step.sql(), step.bound(), step.isolation(), false));
    }

    private static Move atRepeatableRead(Move move) {
        return changed(
                move,
                step -> new StepInfo(
                        step.kind(), step.sql(), step.bound(), Isolation.REPEATABLE_READ, step.takesSnapshot()));
    }

    private static Move changed(Move move, UnaryOperator<StepInfo> change) {
        return new Move(
                move.session(),
                move.effects().stream()
                        .map(effect -> new Effect(effect.session(), change.apply(effect.step()), effect.footprint()))
                        .toList());
    }

    private static SearchComparison compare(Mistake mistake, Dependence dependence) throws SQLException {
        Scenario scenario = mistake.scenario();
        try (Arena arena = Arena.open(TestServer.shared(), scenario)) {
            Subject subject = arena.subject(
                    scenario, scenario.runs().get(0), Arena.Fingerprints.ROWS_AND_READS, Arena.Comparison.NONE);
            return new SearchComparison(
                    1,
                    mistake.name(),
                    explore(subject, new ExhaustiveFrontier()),
                    explore(subject, new ReducedFrontier(dependence)));
        }
    }

    private static Exploration explore(Subject subject, Frontier frontier) {
        return new Search(subject, Bounds.none(), Goal.EVERY_SCHEDULE, frontier, Progress.SILENT).run();
    }

    @ParameterizedTest
    @EnumSource(Mistake.class)
    void aRuleLeftOutIsFound(Mistake mistake) throws SQLException {
        SearchComparison comparison = compare(mistake, mistake.wrong());

        assertThat(comparison.result()).as("%s", comparison).isEqualTo(SearchComparison.Result.DIFFERENT);
        assertThat(comparison.lost()).isNotEmpty();
        assertThat(comparison.invented()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Mistake.class)
    void withTheRuleNothingIsLost(Mistake mistake) throws SQLException {
        SearchComparison comparison = compare(mistake, new Dependence(false));

        assertThat(comparison.result()).as("%s", comparison).isEqualTo(SearchComparison.Result.EQUAL);
        assertThat(comparison.reduced().schedules())
                .as("%s", comparison)
                .isLessThanOrEqualTo(comparison.exhaustive().schedules());
    }
}

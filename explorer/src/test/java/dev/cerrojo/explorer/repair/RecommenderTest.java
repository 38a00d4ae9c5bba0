package dev.cerrojo.explorer.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.RunResult;
import dev.cerrojo.explorer.measure.Measured;
import dev.cerrojo.explorer.measure.Spread;
import dev.cerrojo.explorer.repair.RepairReport.Recommendation;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.SerialTally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** With made-up numbers: prices decide among what is as safe, and only when they are clear. */
class RecommenderTest {
    private static final Scenario SCENARIO = ScenarioReader.read("a.yaml", """
            setup: CREATE TABLE shift (id int); CREATE TABLE on_call (shift int, doctor text)
            transactions:
              leave: {params: [shift], scope: shift, steps: [{write: "DELETE FROM on_call WHERE shift = :shift"}]}
            run: [ "leave(shift=1)", "leave(shift=1)" ]
            invariant: {name: covered, scope: shift(id), at_least: 1, of: on_call(shift)}
            """);

    private static final CandidateResult TOUCH = holding("touch");
    private static final CandidateResult TRIGGER = holding("trigger-guard");
    private static final CandidateResult WITH_ERRORS = holding("serializable", "40001");

    private static CheckResult check(long violating) {
        return check(SCENARIO, violating, Optional.empty());
    }

    private static CheckResult check(Scenario scenario, long violating, Optional<String> reason) {
        Run run = scenario.runs().get(0);
        Exploration exploration = new Exploration(
                20,
                violating,
                0,
                0,
                20,
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false,
                new TreeSet<>(),
                reason.isEmpty(),
                reason,
                Duration.ZERO,
                List.of(),
                false,
                0,
                SerialTally.NONE);
        return new CheckResult(scenario, List.of(new RunResult(1, run, exploration, Optional.empty())), true);
    }

    private static CandidateResult holding(String id, String... newSqlStates) {
        Cell cell = new Cell(
                "read committed", check(0), new TreeSet<>(List.of(newSqlStates)), Optional.empty(), Optional.empty());
        return new CandidateResult(
                new Candidate(id, id, Candidate.Kind.CANDIDATE, "an idea"),
                Optional.empty(),
                List.of(cell),
                Optional.of(false),
                OptionalInt.of(1));
    }

    private static Recommendation recommended(Optional<Prices> prices) {
        return Recommender.recommend(
                        SCENARIO, check(1), List.of(TOUCH, TRIGGER, WITH_ERRORS), SCENARIO.invariants(), prices)
                .orElseThrow();
    }

    /** A load of which a share of the calls commits, its throughput and its ratio as far around the middle as told. */
    private static Load load(double ratio, double around, double committing) {
        Spread ratios = new Spread(ratio, ratio * (1 - around), ratio * (1 + around));
        Spread perSecond = new Spread(1_000 * ratio, 1_000 * ratios.low(), 1_000 * ratios.high());
        Spread one = new Spread(1, 1, 1);
        return new Load(
                new Measured("a load", perSecond, one, one, one, ratios, one, 1_000),
                0.25,
                Math.round(1_000 * committing),
                Math.round(1_000 * (1 - committing)),
                0);
    }

    private static Price price(CandidateResult result, Load hot, Optional<Load> spread) {
        return new Price(result.candidate().id(), "read committed", 1, 230, hot, spread);
    }

    private static Optional<Prices> prices(Price... candidates) {
        Load base = load(1, 0, 1);
        return Optional.of(new Prices(
                "a server",
                8,
                OptionalInt.of(1_000),
                5,
                Duration.ofSeconds(7),
                new Price("unguarded", "read committed", 0, 102, base, Optional.of(base)),
                List.of(candidates),
                List.of()));
    }

    private static Optional<Prices> spread(Load touch, Load trigger, Load withErrors) {
        Load hot = load(0.5, 0.01, 0.5);
        return prices(
                price(TOUCH, hot, Optional.of(touch)),
                price(TRIGGER, hot, Optional.of(trigger)),
                price(WITH_ERRORS, hot, Optional.of(withErrors)));
    }

    @Test
    void withoutPricesTheFirstOfTheTableIsTaken() {
        Recommendation found = recommended(Optional.empty());

        assertThat(found.candidate()).isEqualTo(TOUCH.candidate());
        assertThat(found.reasons()).noneMatch(reason -> reason.contains("unguarded"));
    }

    @Test
    void aClearDifferenceOverrulesTheOrderOfTheTable() {
        Recommendation found = recommended(spread(load(0.7, 0.03, 1), load(0.9, 0.03, 1), load(0.7, 0.03, 1)));

        assertThat(found.candidate()).isEqualTo(TRIGGER.candidate());
        assertThat(found.reasons())
                .contains(
                        "It is clearly cheaper than touch (0.70 [0.68 to 0.72] of the unguarded throughput), which would"
                                + " come first without prices and is as safe.");
    }

    @Test
    void spreadsThatOverlapDecideNothing() {
        Recommendation found = recommended(spread(load(0.7, 0.2, 1), load(0.9, 0.2, 1), load(0.7, 0.2, 1)));

        assertThat(found.candidate()).isEqualTo(TOUCH.candidate());
        assertThat(found.reasons())
                .contains(
                        "Over 1,000 scopes it reaches 0.70 [0.56 to 0.84] of the unguarded throughput (700 of 1,000 calls"
                                + " a second, 8 clients), with a p99 of 1.0 ms (unguarded: 1.0 ms).")
                .contains(
                        "A call makes 1 round trip more and writes 230 bytes of write-ahead log (unguarded: 102), counted.")
                .contains(
                        "No other candidate is clearly cheaper: by a tenth or more, with spreads that do not overlap.");
    }

    @Test
    void aSteadyButSmallDifferenceDecidesNothing() {
        assertThat(recommended(spread(load(0.88, 0.001, 1), load(0.9, 0.001, 1), load(0.9, 0.001, 1)))
                        .candidate())
                .isEqualTo(TOUCH.candidate());
    }

    @Test
    void whatIsCheaperButNotAsSafeIsNamedAndNotTaken() {
        Recommendation found = recommended(spread(load(0.7, 0.03, 1), load(0.7, 0.03, 1), load(0.95, 0.03, 1)));

        assertThat(found.candidate()).isEqualTo(TOUCH.candidate());
        assertThat(found.reasons())
                .anyMatch(reason -> reason.startsWith("Clearly cheaper, but not as safe")
                        && reason.contains("serializable (0.95 [0.92 to 0.98] of the unguarded throughput)"));
    }

    @Test
    void whoIsClearlyWorseInOneScopeIsNotCheaper() {
        Optional<Prices> prices = prices(
                price(TOUCH, load(0.9, 0.03, 0.5), Optional.of(load(0.7, 0.03, 1))),
                price(TRIGGER, load(0.3, 0.03, 0.5), Optional.of(load(0.9, 0.03, 1))));

        assertThat(recommended(prices).candidate()).isEqualTo(TOUCH.candidate());
    }

    @Test
    void whoRefusesMoreCallsDoesNotLookFaster() {
        List<Price> hotOnly = new ArrayList<>();
        hotOnly.add(price(TOUCH, load(0.5, 0.03, 0.6), Optional.empty()));
        hotOnly.add(price(TRIGGER, load(0.8, 0.03, 0.2), Optional.empty()));
        assertThat(recommended(prices(hotOnly.toArray(Price[]::new))).candidate())
                .isEqualTo(TOUCH.candidate());

        hotOnly.set(1, price(TRIGGER, load(0.8, 0.03, 0.6), Optional.empty()));
        assertThat(recommended(prices(hotOnly.toArray(Price[]::new))).candidate())
                .isEqualTo(TRIGGER.candidate());
    }

    @Test
    void whatWasTriedInOneTransactionIsToldToBeOne() throws Exception {
        Scenario halves = ScenarioReader.read("a.yaml", """
                setup: CREATE TABLE job (key int, state text)
                transactions:
                  send: {steps: [{write: "INSERT INTO job VALUES (1, 'PENDING')"}, {commit: true}, {write: "DELETE FROM job"}]}
                run: [ send(), send() ]
                invariant: {name: unstuck, violated_by: SELECT key FROM job}
                """);
        Scenario whole = Steps.change(halves, Steps::inOneTransaction);

        assertThat(how(halves, whole)).startsWith("-- one transaction: BEGIN before the first statement of send,\n");
        assertThat(how(halves, halves)).doesNotContain("BEGIN");
        assertThat(how(whole, whole)).doesNotContain("BEGIN");
    }

    private static String how(Scenario file, Scenario tried) {
        CandidateResult holding = result("lock-table", cell("read committed", check(tried, 0, Optional.empty())));
        return Recommender.recommend(
                        file, check(file, 1, Optional.empty()), List.of(holding), file.invariants(), Optional.empty())
                .orElseThrow()
                .how();
    }

    @Test
    void aLevelThatWasNotDecidedIsNotToldToFail() {
        CheckResult undecided = check(SCENARIO, 0, Optional.of("stopped after 1 s (--timeout)"));
        CandidateResult some = result(
                "touch",
                cell("read committed", check(0)),
                cell("repeatable read", undecided),
                cell("serializable", check(1)));

        assertThat(Recommender.recommend(SCENARIO, check(1), List.of(some), SCENARIO.invariants(), Optional.empty())
                        .orElseThrow()
                        .risks())
                .anyMatch(risk -> risk.startsWith("It does not hold at SERIALIZABLE:"))
                .contains("It was not shown to hold at REPEATABLE READ.");
    }

    @Test
    void whereNoneIsRecommendedTheUndecidedAreCounted() {
        CheckResult undecided = check(SCENARIO, 0, Optional.of("stopped after 1 s (--timeout)"));

        assertThat(whyNone(check(1))).isEqualTo("No candidate holds at the file's isolation level.");
        assertThat(whyNone(undecided)).contains("was shown to hold", "1 is undecided");
    }

    private static String whyNone(CheckResult found) {
        return new RepairReport(
                        check(1),
                        List.of(result("touch", cell("read committed", found))),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty())
                .whyNone();
    }

    private static Cell cell(String level, CheckResult result) {
        return new Cell(level, result, new TreeSet<>(), Optional.empty(), Optional.empty());
    }

    private static CandidateResult result(String id, Cell... cells) {
        return new CandidateResult(
                new Candidate(id, id, Candidate.Kind.CANDIDATE, "an idea"),
                Optional.empty(),
                List.of(cells),
                Optional.empty(),
                OptionalInt.of(1));
    }
}

package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.GatedPass;
import dev.cerrojo.explorer.measure.Measured;
import dev.cerrojo.explorer.measure.Spread;
import dev.cerrojo.explorer.repair.Candidate;
import dev.cerrojo.explorer.repair.CandidateResult;
import dev.cerrojo.explorer.repair.Cell;
import dev.cerrojo.explorer.repair.Load;
import dev.cerrojo.explorer.repair.Price;
import dev.cerrojo.explorer.repair.Prices;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.scenario.Expectation;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/** What a repair could have found, written by hand. */
final class Repairs {
    private Repairs() {}

    static Found violated() {
        return new Found().violated(1, Found.bothLeave().ending(Found.NOBODY_ON_CALL));
    }

    static Cell cell(String isolation, Found found, String... newSqlStates) {
        return new Cell(
                isolation,
                found.in(touched()),
                new TreeSet<>(List.of(newSqlStates)),
                Optional.empty(),
                Optional.empty());
    }

    /** The scenario with a guard row touched first. */
    static Scenario touched() {
        return ScenarioReader.read("examples/on-call.yaml", """
                title: The last two doctors of a shift leave at the same time
                setup: |-
                  CREATE TABLE on_call (shift int, doctor text)
                  ;CREATE TABLE guard (scope int);
                transactions:
                  leave:
                    params: [shift, doctor]
                    retry: 3
                    steps:
                      - write: UPDATE guard SET scope = scope WHERE scope = :shift
                      - read: SELECT count(*) AS others FROM on_call WHERE shift = :shift AND doctor <> :doctor
                      - check: SELECT :others > 0
                        else: coverage-conflict
                      - commit: true
                      - write: DELETE FROM on_call WHERE doctor = :doctor
                run: [ "leave(shift=1, doctor='A')", "leave(shift=1, doctor='B')" ]
                invariant:
                  name: on_call_coverage
                  says: every shift keeps a doctor
                  scope: shift(id)
                  at_least: 1
                  of: on_call(shift)
                """);
    }

    static final Candidate TOUCH =
            new Candidate("touch", "Touch a guard row", Candidate.Kind.CANDIDATE, "UPDATE a row first");

    static CandidateResult touch() {
        return new CandidateResult(
                TOUCH,
                Optional.empty(),
                List.of(
                        cell("read committed", new Found()),
                        cell("repeatable read", new Found(), "40001"),
                        cell(
                                "serializable",
                                new Found().deadlocking(2, Found.deadlocks().ending()),
                                "40001",
                                "40P01")),
                Optional.of(false),
                OptionalInt.of(1));
    }

    static CandidateResult readRows() {
        Cell inside = new Cell(
                "read committed",
                new Found().in(touched()),
                new TreeSet<>(),
                Optional.empty(),
                Optional.of(new GatedPass(violated().in(touched()), 200, 3)));
        return new CandidateResult(
                new Candidate("lock-read-rows", "Lock the rows", Candidate.Kind.CANDIDATE, "add FOR UPDATE"),
                Optional.empty(),
                List.of(
                        inside,
                        cell("repeatable read", violated()),
                        cell("serializable", new Found().stopped("stopped after 9 s (--timeout)"))),
                Optional.empty(),
                OptionalInt.of(0));
    }

    static CandidateResult repeatableRead() {
        return new CandidateResult(
                new Candidate("repeatable-read", "REPEATABLE READ", Candidate.Kind.CANDIDATE, "with retry"),
                Optional.empty(),
                List.of(cell("repeatable read", new Found().nothingCommits())),
                Optional.empty(),
                OptionalInt.of(0));
    }

    static CandidateResult nativeConstraint() {
        return new CandidateResult(
                new Candidate("native-constraint", "Native constraint", Candidate.Kind.CANDIDATE, "a constraint"),
                Optional.of("PostgreSQL has no constraint for this rule"),
                List.of(),
                Optional.empty(),
                OptionalInt.empty());
    }

    static CandidateResult shareLock() {
        return new CandidateResult(
                new Candidate("share-lock", "FOR SHARE", Candidate.Kind.KNOWN_BAD, "a lock that two can hold"),
                Optional.empty(),
                List.of(cell("read committed", violated()), cell("repeatable read", violated())),
                Optional.empty(),
                OptionalInt.of(1));
    }

    static CandidateResult ofTheUser(int number, String name, Found found, Optional<Expectation> expectation) {
        return new CandidateResult(
                new Candidate("user-" + number, name, Candidate.Kind.USER, "as the file's repairs say"),
                Optional.empty(),
                List.of(new Cell("as declared", found.in(touched()), new TreeSet<>(), expectation, Optional.empty())),
                Optional.empty(),
                OptionalInt.empty());
    }

    static RepairReport report() {
        List<CandidateResult> results =
                new ArrayList<>(List.of(touch(), readRows(), repeatableRead(), nativeConstraint(), shareLock()));
        results.add(ofTheUser(1, "touch the shift", new Found(), Optional.of(Expectation.HOLDS)));
        results.add(ofTheUser(2, "check inside of the UPDATE", violated(), Optional.of(Expectation.HOLDS)));
        results.add(ofTheUser(3, "no idea", violated(), Optional.empty()));
        return new RepairReport(
                violated().in(Found.scenario()),
                results,
                Optional.of(new RepairReport.Recommendation(
                        TOUCH,
                        List.of("It holds at every level.", "No schedule deadlocks."),
                        "-- first in leave\nUPDATE guard\n   SET scope = scope;",
                        List.of("Another code path can forget it."))),
                Optional.of("the file has no scope_rows"),
                Optional.empty(),
                Optional.empty());
    }

    /** The same report, with prices. */
    static RepairReport priced() {
        RepairReport report = report();
        return new RepairReport(
                report.base(),
                report.candidates(),
                report.recommendation(),
                report.scopesNote(),
                Optional.of(prices()),
                Optional.empty());
    }

    /** Of two candidates: one that costs little, and one that is run again and again in the hot scope. */
    static Prices prices() {
        return prices(0.02);
    }

    /** The quartiles are such a share around their medians. */
    static Prices prices(double around) {
        return new Prices(
                "the embedded server (PostgreSQL 17.11)",
                8,
                OptionalInt.of(1_000),
                5,
                Duration.ofMillis(7_900),
                price("unguarded", "read committed", 0, 412, load(1_000, 1, 0, around), load(2_000, 1, 0, around)),
                List.of(
                        price(
                                "touch",
                                "read committed",
                                1,
                                524,
                                load(800, 0.8, 0, around),
                                load(1_860, 0.93, 0, around)),
                        price(
                                "serializable",
                                "serializable",
                                0,
                                412,
                                load(310, 0.31, 3.5, around),
                                load(1_500, 0.75, 0.01, around))),
                List.of("user-2 (check inside of the UPDATE): it has runs of its own"));
    }

    private static Price price(String name, String isolation, int trips, long wal, Load hot, Load spread) {
        return new Price(name, isolation, trips, wal, hot, Optional.of(spread));
    }

    private static Load load(double perSecond, double ratio, double retries, double around) {
        double millis = 8_000 / perSecond;
        return new Load(
                new Measured(
                        "a load",
                        around(perSecond, around),
                        around(millis, around),
                        around(millis * 3, around),
                        around(retries, around),
                        around(ratio, around),
                        around(1 / ratio, around),
                        Math.round(perSecond)),
                millis / 4,
                Math.round(perSecond * 0.75),
                Math.round(perSecond * 0.25),
                0);
    }

    private static Spread around(double median, double share) {
        return new Spread(median, median * (1 - share), median * (1 + share));
    }
}

package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.GatedPass;
import dev.cerrojo.explorer.repair.Candidate;
import dev.cerrojo.explorer.repair.CandidateResult;
import dev.cerrojo.explorer.repair.Cell;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.scenario.Expectation;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
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
                Optional.of("the file has no scope_rows"));
    }
}

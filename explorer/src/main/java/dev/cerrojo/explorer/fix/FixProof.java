package dev.cerrojo.explorer.fix;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.Checker;
import dev.cerrojo.explorer.check.GatedPass;
import dev.cerrojo.explorer.database.Arena;
import dev.cerrojo.explorer.database.MigrationTrial;
import dev.cerrojo.explorer.database.ScenarioSqlException;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.repair.Repairer;
import dev.cerrojo.explorer.scenario.Expectation;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.search.Goal;
import dev.cerrojo.explorer.search.Verdict;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Explores scenarios again in fresh databases, with scripts as they were read back from disk. */
final class FixProof {
    private final Server server;
    private final Checker checker;
    private final Repairer.Inside inside;

    FixProof(Server server, Checker checker, Repairer.Inside inside) {
        this.server = server;
        this.checker = checker;
        this.inside = inside;
    }

    /**
     * What came of it.
     *
     * @param verdict holds only when nothing is wrong
     * @param schedules how many were explored
     * @param deadlocks whether any of them deadlocked
     * @param problems what is wrong or was left open, a sentence each
     */
    record Proof(Verdict verdict, long schedules, boolean deadlocks, List<String> problems) {
        Proof {
            problems = List.copyOf(problems);
        }

        boolean holds() {
            return verdict == Verdict.HOLDS;
        }

        Expectation expectation() {
            return deadlocks ? Expectation.HOLDS : Expectation.HOLDS_NO_DEADLOCK;
        }
    }

    /** Runs the migration and its rollback, and looks whether the schema is as it was before. */
    Proof ofScripts(Fix fix, String migration, String rollback) throws SQLException {
        List<String> problems = MigrationTrial.of(server, fix.scenario(), migration, rollback, fix.guards());
        return new Proof(problems.isEmpty() ? Verdict.HOLDS : Verdict.VIOLATED, 0, false, problems);
    }

    /** Explores a scenario; one whose sessions never commit is not called holding. */
    Proof of(String what, Scenario fixed) throws SQLException {
        try (Arena arena = Arena.open(server, fixed)) {
            CheckResult result = checker.check(arena, fixed, Goal.FIRST_VIOLATION);
            return result.verdict() == Verdict.HOLDS && result.committing() > 0
                    ? inside(what, fixed, result, arena)
                    : judged(what, result);
        } catch (ScenarioSqlException e) {
            return new Proof(Verdict.VIOLATED, 0, false, List.of(what + ": " + e.problem()));
        }
    }

    private static Proof judged(String what, CheckResult result) {
        List<String> problems = new ArrayList<>();
        Verdict verdict = result.verdict();
        if (verdict == Verdict.HOLDS) {
            verdict = Verdict.VIOLATED;
            problems.add(what + " lets no session commit in any schedule");
        } else if (verdict == Verdict.VIOLATED) {
            problems.add(what + " does not hold: "
                    + result.shortestWitness()
                            .flatMap(run -> run.witness())
                            .map(witness -> "schedule " + witness.token() + " violates the invariant")
                            .orElse("a schedule violates the invariant"));
        } else {
            problems.add(what + " was not explored to the end: " + String.join("; ", result.reasons()));
        }
        return new Proof(verdict, result.schedules(), result.deadlocking() > 0, problems);
    }

    private Proof inside(String what, Scenario fixed, CheckResult result, Arena free) throws SQLException {
        Optional<GatedPass> pass =
                inside == Repairer.Inside.TRIED ? Optional.of(checker.checkInside(fixed, free)) : Optional.empty();
        Verdict verdict = pass.map(GatedPass::verdict).orElse(Verdict.HOLDS);
        return new Proof(
                verdict,
                result.schedules(),
                result.deadlocking() > 0,
                insideProblem(verdict).map(what::concat).stream().toList());
    }

    static Optional<String> insideProblem(Verdict inside) {
        return switch (inside) {
            case HOLDS -> Optional.empty();
            case VIOLATED -> Optional.of(" holds between statements, but not inside of them");
            case INCONCLUSIVE ->
                Optional.of(
                        " holds between statements; inside of them it was not explored to the end, so nothing is said");
        };
    }
}

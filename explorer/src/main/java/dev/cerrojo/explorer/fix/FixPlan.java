package dev.cerrojo.explorer.fix;

import dev.cerrojo.CerrojoException;
import dev.cerrojo.explorer.repair.Candidate;
import dev.cerrojo.explorer.repair.CandidateResult;
import dev.cerrojo.explorer.repair.Cell;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.guard.Guard;
import dev.cerrojo.guard.GuardMigration;
import dev.cerrojo.guard.GuardOptions;
import dev.cerrojo.guard.NativeConstraint;
import dev.cerrojo.guard.TriggerGuard;
import dev.cerrojo.invariant.Invariant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Chooses what is written, from what a repair found: a guard in the database where one holds, else the application's part alone. */
final class FixPlan {
    private static final String OWN_SCHEMA = GuardOptions.defaults().ownSchema();

    private final RepairReport report;
    private final Candidate recommended;
    private final List<Invariant> invariants;
    private final List<String> notes = new ArrayList<>();

    /**
     * Makes a plan.
     *
     * @param report what was found, with a recommendation
     * @param recommended the candidate that it recommends
     * @param invariants the scenario's, with their watches
     */
    FixPlan(RepairReport report, Candidate recommended, List<Invariant> invariants) {
        this.report = report;
        this.recommended = recommended;
        this.invariants = invariants.stream()
                .sorted(Comparator.comparing(Invariant::name))
                .toList();
    }

    /** {@return why something is not written; filled by the other methods} */
    List<String> notes() {
        return notes;
    }

    /** {@return the fix with a guard; empty, with a note, when none can be or none holds} */
    Optional<Fix> inDatabase() {
        try {
            Optional<Function<Invariant, Guard>> kind = kind();
            return kind.map(guard -> invariants.stream().map(guard).toList())
                    .map(guards -> fix(guards, Optional.of(GuardMigration.of(guards)), application()));
        } catch (CerrojoException e) {
            notes.add("No guard in the database: " + e.getMessage() + ".");
            return Optional.empty();
        }
    }

    /** {@return whether the report itself shows that the guard holds; for guards of several kinds, none was tried} */
    boolean isSeen() {
        return holds("native-constraint") || holds("trigger-guard");
    }

    private Optional<Function<Invariant, Guard>> kind() {
        GuardOptions options = GuardOptions.defaults();
        if (holds("native-constraint")) {
            return Optional.of(invariant -> NativeConstraint.of(invariant, options));
        } else if (holds("trigger-guard")) {
            return Optional.of(invariant -> TriggerGuard.of(invariant, options));
        } else if (isOfSeveralKinds()) {
            return Optional.of(invariant -> Guard.of(invariant, options));
        }
        notes.add("No guard in the database: " + why() + ".");
        return Optional.empty();
    }

    private boolean isOfSeveralKinds() {
        long constraints =
                invariants.stream().filter(NativeConstraint::isPossible).count();
        return constraints > 0 && constraints < invariants.size();
    }

    private boolean holds(String id) {
        return result(id)
                .flatMap(result -> result.cellFor(report.base().scenario()))
                .filter(Cell::holds)
                .isPresent();
    }

    private Optional<CandidateResult> result(String id) {
        return report.candidates().stream()
                .filter(result -> result.candidate().id().equals(id))
                .findFirst();
    }

    private String why() {
        String id = invariants.stream().allMatch(NativeConstraint::isPossible) ? "native-constraint" : "trigger-guard";
        Optional<CandidateResult> result = result(id);
        return result.flatMap(CandidateResult::notBuilt)
                .or(() -> result.flatMap(tried -> tried.cellFor(report.base().scenario()))
                        .map(cell -> cell.neverCommits()
                                ? id + " lets no session commit"
                                : id + " does not hold for this scenario"))
                .orElse(id + " was not tried");
    }

    /** {@return the fix without a guard; empty, with a note, when it cannot be written} */
    Optional<Fix> inApplication() {
        if (recommended.id().equals("native-constraint") || recommended.id().equals("trigger-guard")) {
            return Optional.empty();
        }
        Optional<Scenario> application = application();
        if (application.isEmpty()) {
            notes.add("The recommendation, " + recommended.id()
                    + ", changes the tables in a way that Cerrojo does not write as a migration: see --explain "
                    + recommended.id() + ".");
            return Optional.empty();
        }
        boolean table = recommended.id().equals("touch");
        return Optional.of(fix(
                List.of(),
                table ? Optional.of(GuardMigration.ofGuardTable(OWN_SCHEMA)) : Optional.empty(),
                application));
    }

    private Fix fix(List<Guard> guards, Optional<GuardMigration> migration, Optional<Scenario> application) {
        return new Fix(report.base().scenario(), invariants, guards, migration, recommended, application);
    }

    /** Its transactions alone: what they need of the schema is the guard table, which the migration makes. */
    private Optional<Scenario> application() {
        Scenario base = report.base().scenario();
        return result(recommended.id())
                .flatMap(result -> result.cellFor(base))
                .map(cell -> cell.result().scenario())
                .filter(repaired ->
                        recommended.id().equals("touch") || repaired.setup().equals(base.setup()))
                .filter(repaired -> !repaired.transactions().equals(base.transactions()))
                .map(repaired -> base.withTransactions(repaired.transactions()));
    }
}

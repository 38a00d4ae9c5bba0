package dev.cerrojo.explorer.fix;

import dev.cerrojo.explorer.repair.Candidate;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.guard.Guard;
import dev.cerrojo.guard.GuardMigration;
import dev.cerrojo.guard.TriggerGuard;
import dev.cerrojo.invariant.Invariant;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A repair that can be written out.
 *
 * @param scenario the scenario as it stands
 * @param invariants its invariants with their watches, in the order in which serialization points are taken
 * @param guards what enforces them in the database; none when only the application does
 * @param migration what the database needs; none when that is nothing
 * @param recommended the candidate that was recommended
 * @param application the scenario with that candidate in its transactions, when it changes them
 */
record Fix(
        Scenario scenario,
        List<Invariant> invariants,
        List<Guard> guards,
        Optional<GuardMigration> migration,
        Candidate recommended,
        Optional<Scenario> application) {
    private static final int LONGEST_NAME = 60;

    Fix {
        invariants = List.copyOf(invariants);
        guards = List.copyOf(guards);
    }

    boolean inDatabase() {
        return !guards.isEmpty();
    }

    boolean hasTriggers() {
        return guards.stream().anyMatch(TriggerGuard.class::isInstance);
    }

    /** {@return what files are named after: the invariants; of many, the scenario's file} */
    String name() {
        String joined = invariants.stream().map(Invariant::name).collect(Collectors.joining("_and_"));
        return joined.length() <= LONGEST_NAME ? joined : stem().replaceAll("[^A-Za-z0-9]+", "_");
    }

    /** {@return the name of the scenario's file without its ending} */
    String stem() {
        String file = String.valueOf(Path.of(scenario.file()).getFileName());
        String stem = file.replaceFirst("\\.ya?ml$", "").replaceFirst("\\.regression$", "");
        return stem.isEmpty() ? "scenario" : stem;
    }

    /** {@return the description of the migration, as its file's name has it} */
    String description() {
        return (inDatabase() ? "guard_" : "guard_table_for_") + name();
    }
}

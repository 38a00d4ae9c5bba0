package dev.cerrojo.explorer.fix;

import dev.cerrojo.explorer.fix.RegressionYaml.Guarded;
import dev.cerrojo.explorer.scenario.Expectation;
import dev.cerrojo.explorer.scenario.Repair;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Session;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import java.util.List;
import java.util.Optional;

/**
 * Whether a regression test says what was explored, wherever its lines stand.
 *
 * @param regression the test, as it was read back
 * @param base the scenario that was found violated
 * @param guarded what was found to hold
 */
record RegressionComparison(Scenario regression, Scenario base, List<Guarded> guarded) {
    boolean same() {
        return same(regression, base)
                && regression.expect().equals(Optional.of(Expectation.VIOLATED))
                && regression.repairs().size() == guarded.size()
                && sameRepairs();
    }

    private boolean sameRepairs() {
        for (int i = 0; i < guarded.size(); i++) {
            Repair repair = regression.repairs().get(i);
            if (!same(repair.repaired(), guarded.get(i).scenario())
                    || !repair.expect().equals(Optional.of(guarded.get(i).expect()))) {
                return false;
            }
        }
        return true;
    }

    private static boolean same(Scenario one, Scenario other) {
        return one.setup().equals(other.setup())
                && one.invariants().equals(other.invariants())
                && one.faults().equals(other.faults())
                && sessions(one).equals(sessions(other))
                && one.transactions().keySet().equals(other.transactions().keySet())
                && one.transactions().values().stream()
                        .allMatch(spec -> same(spec, other.transactions().get(spec.name())));
    }

    private static List<List<Session>> sessions(Scenario scenario) {
        return scenario.runs().stream().map(Run::sessions).toList();
    }

    private static boolean same(TransactionSpec one, @org.jspecify.annotations.Nullable TransactionSpec other) {
        return other != null
                && one.isolation() == other.isolation()
                && one.retry() == other.retry()
                && one.atomic() == other.atomic()
                && RegressionYaml.sameSteps(one, other);
    }
}

package dev.cerrojo.explorer.stress;

import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.repair.ManyScopes;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.search.Verdict;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs operations of a scenario at once, by {@link dev.cerrojo.tx.Transactions}: as the file stands, and with the repair that is
 * recommended. Operations of one scope meet before they write; to some of them, lock-order conflicts and failures are injected.
 *
 * <pre>{@code
 * StressReport counted = new StressTest(server, Stress.standard()).of(report);
 * counted.last().afterCommit().duplicates();
 * }</pre>
 */
public final class StressTest {
    private final Server server;
    private final Stress asked;

    /**
     * Makes a test.
     *
     * @param server where scratch databases are made
     * @param asked how much it does
     */
    public StressTest(Server server, Stress asked) {
        this.server = server;
        this.asked = asked;
    }

    /**
     * Says why it cannot be made.
     *
     * @param report what a repair found
     * @return half a sentence; empty when it can
     */
    public static Optional<String> impossible(RepairReport report) {
        Scenario scenario = report.base().scenario();
        if (report.recommendation().isEmpty() && report.base().verdict() != Verdict.HOLDS) {
            return Optional.of("no candidate is recommended, so there is nothing whose protection could be counted");
        }
        return scenario.transactions().values().stream()
                .filter(StressTest::hasForeignEffect)
                .findFirst()
                .map(spec -> "transaction " + spec.name()
                        + " has an autonomous step, a foreign effect that running it again does again");
    }

    private static boolean hasForeignEffect(TransactionSpec spec) {
        return spec.steps().stream().anyMatch(step -> step instanceof Step.Statement sql && sql.autonomous());
    }

    /**
     * Runs it, in databases of its own.
     *
     * @param report what a repair found, for which this is not {@link #impossible}
     * @return what was counted
     * @throws SQLException if the server cannot do it
     */
    public StressReport of(RepairReport report) throws SQLException {
        Scenario scenario = report.base().scenario();
        Optional<String> oneScope = ManyScopes.impossible(scenario);
        Optional<ManyScopes> scopes =
                oneScope.isPresent() ? Optional.empty() : Optional.of(ManyScopes.of(scenario, asked.scopes()));
        List<Group> groups = Group.deal(scenario, scopes, asked.operations());
        Scenario start =
                scopes.map(many -> scenario.withSetupAppended(many.rows())).orElse(scenario);
        Optional<String> unjudged = unjudged(start, groups);
        List<Pass> passes = new ArrayList<>();
        passes.add(pass(start, groups, ""));
        if (report.recommendation().isPresent()) {
            Scenario repaired = report.recommendedCell().orElseThrow().result().scenario();
            passes.add(pass(
                    repaired(start, scenario, repaired),
                    groups,
                    report.recommendation().orElseThrow().candidate().id()));
        }
        return new StressReport(asked, scopes.map(many -> many.values().size()).orElse(1), oneScope, unjudged, passes);
    }

    /** What a repair installs comes after the rows of the scopes. */
    private static Scenario repaired(Scenario start, Scenario before, Scenario repaired) {
        return start.withSetupAppended(repaired.setupAddedTo(before)).withTransactions(repaired.transactions());
    }

    private Pass pass(Scenario scenario, List<Group> groups, String protection) throws SQLException {
        try (Ground ground = Ground.open(server, scenario, groups)) {
            return ground.run(protection);
        }
    }

    /** Says why a violation at the end would say nothing about running at once, if it would not. */
    private Optional<String> unjudged(Scenario scenario, List<Group> groups) throws SQLException {
        try (Ground ground = Ground.open(server, scenario, groups)) {
            if (!ground.violations().isEmpty()) {
                return Optional.of("the invariant does not hold before they begin: it is about what exactly the file's"
                        + " sessions leave");
            }
            return ground.runAlone().isEmpty()
                    ? Optional.empty()
                    : Optional.of("the invariant does not always hold either when the same operations run one after"
                            + " another");
        }
    }
}

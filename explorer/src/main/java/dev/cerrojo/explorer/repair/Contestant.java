package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.repair.Blueprint.NotBuildable;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What is measured: the unguarded transactions, or a candidate.
 *
 * @param name its name in reports
 * @param builder makes its scenario of the file's
 */
record Contestant(String name, Blueprint.Builder builder) {
    static final String UNGUARDED = "unguarded";

    /** Whoever must run again does, until it has an answer: what that costs is measured. */
    private static final int RETRIES = 100;

    static Contestant unguarded() {
        return new Contestant(UNGUARDED, scenario -> scenario);
    }

    Scenario of(Scenario scenario) throws NotBuildable {
        Scenario built = builder.build(scenario);
        Map<String, TransactionSpec> retried = new LinkedHashMap<>();
        built.transactions()
                .forEach((name, spec) -> retried.put(name, spec.withRetry(Math.max(RETRIES, spec.retry()))));
        return built.withTransactions(retried);
    }

    /** {@return the levels that its transactions run at, as SQL writes them} */
    static String isolation(Scenario built) {
        return built.transactions().values().stream()
                .map(spec -> spec.isolation().sql())
                .distinct()
                .collect(Collectors.joining(", "));
    }
}

package dev.cerrojo.explorer.check;

import dev.cerrojo.explorer.database.Arena;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.Goal;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Subject;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Shows that the reduced search leaves nothing out: on a scenario, at each isolation level, it must find the same endings as
 * the exhaustive search. An ending is what each session ended with, which invariants were violated, and the rows of all
 * tables; without keys that a sequence or chance made (and their copies by foreign key), and with times near to now made one.
 */
public final class ReductionCheck {
    private final Server server;
    private final Bounds bounds;
    private final Arena.Fingerprints fingerprints;
    private final Progress progress;

    /**
     * Makes a check.
     *
     * @param server where scratch databases are made
     * @param bounds where one search gives up
     * @param progress is told how each search goes
     */
    public ReductionCheck(Server server, Bounds bounds, Progress progress) {
        this(server, bounds, Arena.Fingerprints.ROWS, progress);
    }

    ReductionCheck(Server server, Bounds bounds, Arena.Fingerprints fingerprints, Progress progress) {
        this.server = server;
        this.bounds = bounds;
        this.fingerprints = fingerprints;
        this.progress = progress;
    }

    /**
     * Explores every run of a scenario in both ways, at each level; also with the levels that the file declares, when
     * transactions differ in theirs.
     *
     * @param scenario the scenario
     * @return run by run and level by level, what both found
     * @throws dev.cerrojo.explorer.database.ScenarioSqlException if PostgreSQL does not take its SQL
     * @throws SQLException if the server cannot do it
     */
    public List<SearchComparison> check(Scenario scenario) throws SQLException {
        try (Arena arena = Arena.open(server, scenario)) {
            return check(arena, scenario);
        }
    }

    /**
     * The same in an arena that is open.
     *
     * @param arena an arena of the same setup and invariants
     * @param scenario the scenario
     * @return run by run and level by level, what both found
     * @throws SQLException if the server cannot do it
     */
    public List<SearchComparison> check(Arena arena, Scenario scenario) throws SQLException {
        List<SearchComparison> comparisons = new ArrayList<>();
        for (int i = 0; i < scenario.runs().size(); i++) {
            Run run = scenario.runs().get(i);
            for (Map.Entry<String, Scenario> variant : variants(scenario).entrySet()) {
                Subject subject = arena.subject(variant.getValue(), run, fingerprints, Arena.Comparison.SERIAL_ORDERS);
                comparisons.add(new SearchComparison(
                        i + 1,
                        variant.getKey(),
                        explore(subject, Search.Mode.EXHAUSTIVE),
                        explore(subject, Search.Mode.REDUCED)));
            }
        }
        return comparisons;
    }

    private Exploration explore(Subject subject, Search.Mode mode) {
        return new Search(subject, bounds, Goal.EVERY_SCHEDULE, mode, progress).run();
    }

    private static Map<String, Scenario> variants(Scenario scenario) {
        Map<String, Scenario> variants = new LinkedHashMap<>();
        for (Isolation level : Isolation.values()) {
            variants.put(level.sql(), scenario.withIsolation(level));
        }
        long levels = scenario.transactions().values().stream()
                .map(TransactionSpec::isolation)
                .distinct()
                .count();
        if (levels > 1) {
            variants.put("as declared", scenario);
        }
        return variants;
    }
}

package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Progress;
import java.sql.SQLException;

/** Tries candidates on a server. */
public final class Repairer {
    /**
     * Makes a repairer.
     *
     * @param server where scratch databases are made
     * @param bounds where each check gives up
     * @param progress is told how each search goes
     */
    public Repairer(Server server, Bounds bounds, Progress progress) {}

    /**
     * Checks the scenario, tries every candidate and recommends one.
     *
     * @param scenario the scenario
     * @return what was found
     * @throws SQLException if the server cannot do it
     */
    public RepairReport repair(Scenario scenario) throws SQLException {
        throw new UnsupportedOperationException(scenario.title());
    }
}

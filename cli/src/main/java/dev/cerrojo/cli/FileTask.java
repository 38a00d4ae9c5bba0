package dev.cerrojo.cli;

import dev.cerrojo.explorer.scenario.Scenario;
import java.sql.SQLException;
import java.util.Map;

/** What a command does with each of its files. */
@FunctionalInterface
interface FileTask {
    /**
     * Does it.
     *
     * @throws SQLException if the server fails
     */
    Done run(Scenario scenario, Bench bench) throws SQLException;

    /**
     * What came of it.
     *
     * @param exitCode what this file alone would end the command with
     * @param json what a JSON report says of the file
     */
    record Done(int exitCode, Map<String, Object> json) {}
}

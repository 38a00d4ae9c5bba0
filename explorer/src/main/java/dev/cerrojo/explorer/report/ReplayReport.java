package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.check.RunResult;
import dev.cerrojo.explorer.scenario.Scenario;
import java.util.List;

/**
 * One schedule that was run again.
 *
 * @param scenario the scenario
 * @param asked the schedule that was asked for; when it is shorter than the run, the rest was free
 * @param witness what was seen
 * @param postgres the server's version
 * @param options the options of the command line that a replay must repeat, as words
 */
public record ReplayReport(
        Scenario scenario, ReplayToken asked, RunResult.Witness witness, String postgres, List<String> options) {
    /** Copies the options. */
    public ReplayReport {
        options = List.copyOf(options);
    }

    String replayCommand() {
        return ShellWords.replay(scenario.file(), options, witness.token());
    }
}

package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.ReplayToken;
import java.time.Duration;
import java.util.List;

/**
 * What a check found, with what a reader needs to know of the circumstances.
 *
 * <pre>{@code
 * CheckReport report = new CheckReport(result, server.version(), elapsed, List.of());
 * System.out.print(CheckText.of(report, Look.plain()));
 * }</pre>
 *
 * @param result what was found
 * @param postgres the server's version, such as {@code 17.11}
 * @param elapsed how long it took
 * @param options the options of the command line that a replay must repeat, as words
 */
public record CheckReport(CheckResult result, String postgres, Duration elapsed, List<String> options) {
    /** Copies the options. */
    public CheckReport {
        options = List.copyOf(options);
    }

    /**
     * The command that runs one schedule again.
     *
     * @param token the schedule
     * @return a line for a POSIX shell
     */
    public String replayCommand(ReplayToken token) {
        return ShellWords.replay(result.scenario().file(), options, token);
    }
}

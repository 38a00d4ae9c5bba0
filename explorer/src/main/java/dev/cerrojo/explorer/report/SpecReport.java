package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.spec.SpecResult;
import java.time.Duration;
import java.util.List;

/**
 * What exploring a specification found, with what a reader needs to know of the circumstances.
 *
 * @param result what was found
 * @param postgres the server's version, such as {@code 17.11}
 * @param elapsed how long it took
 * @param options the options of the command line that a replay must repeat, as words
 */
public record SpecReport(SpecResult result, String postgres, Duration elapsed, List<String> options) {
    /** Copies the options. */
    public SpecReport {
        options = List.copyOf(options);
    }

    String replayCommand(ReplayToken token) {
        return ShellWords.replay(result.spec().file(), options, token);
    }
}

package dev.cerrojo.cli;

import dev.cerrojo.explorer.repair.Measuring;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How it is measured what repairs cost. */
final class CostOptions {
    private static final Measuring STANDARD = Measuring.standard();

    @Option(names = "--no-cost", description = "Do not measure what the repairs cost that hold.")
    private boolean withoutCost;

    @Option(
            names = "--cost-time",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "Measure for so long, such as 7s or 1m; making databases comes on top. Longer is steadier."
                    + " Default: 7s.")
    private @Nullable Duration time;

    @Option(
            names = "--cost-clients",
            paramLabel = "N",
            description = "How many clients call at once while costs are measured: 1 to 16. Default: 8.")
    private @Nullable Integer clients;

    Optional<Measuring> measuring() {
        if (withoutCost && (time != null || clients != null)) {
            throw CommandFailedException.usage("--no-cost excludes --cost-time and --cost-clients");
        }
        try {
            return withoutCost
                    ? Optional.empty()
                    : Optional.of(new Measuring(
                            clients == null ? STANDARD.clients() : clients,
                            STANDARD.scopes(),
                            STANDARD.rounds(),
                            time == null ? STANDARD.time() : time));
        } catch (IllegalArgumentException e) {
            throw new CommandFailedException(ExitCode.USAGE, "--cost-" + e.getMessage(), e);
        }
    }
}

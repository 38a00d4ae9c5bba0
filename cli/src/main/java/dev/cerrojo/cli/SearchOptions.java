package dev.cerrojo.cli;

import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Workers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a search gives up. */
final class SearchOptions {
    /** By default: each has some connections to the server, and some databases. Mostly they wait for it. */
    private static final int MOST_WORKERS = 4;

    @Option(
            names = "--max-schedules",
            paramLabel = "N",
            description = "Give up after N schedules; the result is inconclusive then. Default: no bound.")
    private @Nullable Long maxSchedules;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "Give up after so long, such as 30s, 5m or 1h; the result is inconclusive then."
                    + " It counts for each file, and for each case of --expectations. Default: 10m.")
    private Duration timeout = Duration.ofMinutes(10);

    @Option(
            names = "--exhaustive",
            description = "Run every schedule, also those that differ only in the order of independent steps.")
    private boolean exhaustive;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Explore in N databases at once. Default: one more than there are processors, at most 4.")
    private @Nullable Integer workers;

    Workers workers() {
        if (workers != null && workers < 1) {
            throw CommandFailedException.usage("--workers must be at least 1, but was " + workers);
        }
        int processors = Runtime.getRuntime().availableProcessors();
        return new Workers(workers == null ? Math.min(processors + 1, MOST_WORKERS) : workers);
    }

    Search.Mode mode() {
        return exhaustive ? Search.Mode.EXHAUSTIVE : Search.Mode.REDUCED;
    }

    Bounds bounds() {
        if (maxSchedules != null && maxSchedules < 1) {
            throw CommandFailedException.usage("--max-schedules must be at least 1, but was " + maxSchedules);
        }
        return new Bounds(maxSchedules == null ? Long.MAX_VALUE : maxSchedules, timeout);
    }
}

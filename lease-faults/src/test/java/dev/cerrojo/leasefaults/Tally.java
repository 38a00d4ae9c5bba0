package dev.cerrojo.leasefaults;

import java.time.Duration;
import java.util.Optional;

/**
 * What came of a fault.
 *
 * @param fault what befell whom
 * @param acquisitions how often a worker acquired the lease
 * @param losses how often a worker told that it had lost it
 * @param leastLead how long before the next acquisition by another worker a loss was told, the least; negative when it was told after
 *     that; empty when there was none
 * @param commits how many writes were committed
 * @param stale how many of them after a write with a higher token
 * @param lost how many of them overwrote what they had not read
 */
record Tally(
        String fault,
        long acquisitions,
        long losses,
        Optional<Duration> leastLead,
        long commits,
        long stale,
        long lost) {
    static final String HEADER =
            "| fault | acquisitions | losses told | told before the next holder, at least | commits | stale | overwritten |\n"
                    + "|---|---|---|---|---|---|---|";

    @Override
    public String toString() {
        String lead = leastLead.map(time -> time.toMillis() + " ms").orElse("–");
        return "| %s | %d | %d | %s | %d | %d | %d |"
                .formatted(fault, acquisitions, losses, lead, commits, stale, lost);
    }
}

package dev.cerrojo.leasefaults;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What was counted while a fault befell a holder once, until there were commits again.
 *
 * @param holderDied whether the holder was killed
 * @param acquisitions how often a worker acquired the lease
 * @param handOvers how many of these times another one had had it before
 * @param losses how often a worker told that it had lost it
 * @param failures how often the holder told that its work had failed
 * @param leads for each loss after which another worker acquired the lease, how long before that it was told; negative: after
 * @param replacedAfter how long after the fault began another worker than the holder acquired it, if any did
 * @param commits how many writes were committed
 * @param stale how many of them after a write with a higher token
 * @param overwritten how many of them overwrote what they had not read
 */
record Round(
        boolean holderDied,
        long acquisitions,
        long handOvers,
        long losses,
        long failures,
        List<Duration> leads,
        Optional<Duration> replacedAfter,
        long commits,
        long stale,
        long overwritten) {
    Round {
        leads = List.copyOf(leads);
    }

    Outcome outcome() {
        if (holderDied && acquisitions > 0) {
            return Outcome.REPLACED;
        }
        if (losses > 0) {
            return leads.stream().allMatch(Round::early) ? Outcome.TOLD_BEFORE : Outcome.TOLD_AFTER;
        }
        return acquisitions == 0 ? Outcome.KEPT : failures > 0 ? Outcome.GIVEN_BACK : Outcome.UNTOLD;
    }

    private static boolean early(Duration lead) {
        return lead.compareTo(Duration.ZERO) > 0;
    }

    long toldBefore() {
        return losses - leads.stream().filter(lead -> !early(lead)).count();
    }
}

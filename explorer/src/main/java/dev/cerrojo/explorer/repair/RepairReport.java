package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.search.Verdict;
import java.util.List;
import java.util.Optional;

/**
 * What a repair found.
 *
 * @param base the scenario as it stands
 * @param candidates every candidate tried or not built, in the order of the table
 * @param recommendation the one to take; empty when none holds, or when the scenario needs none
 * @param scopesNote why sessions of two scopes could not be tried, if they could not
 * @param prices what the candidates that hold cost; empty when that was not asked, when none holds, or when none is needed
 * @param pricesNote why prices could not be measured, if they were asked for and could not
 */
public record RepairReport(
        CheckResult base,
        List<CandidateResult> candidates,
        Optional<Recommendation> recommendation,
        Optional<String> scopesNote,
        Optional<Prices> prices,
        Optional<String> pricesNote) {
    /** Copies the list. */
    public RepairReport {
        candidates = List.copyOf(candidates);
    }

    /** {@return what the recommended candidate came to at the level that the recommendation speaks of} */
    public Optional<Cell> recommendedCell() {
        return recommendation()
                .flatMap(recommended -> candidates.stream()
                        .filter(result -> result.candidate().equals(recommended.candidate()))
                        .findFirst()
                        .flatMap(result -> result.cellFor(base.scenario())));
    }

    /** {@return why nothing is recommended, in one sentence; where the scenario needs nothing, it does not apply} */
    public String whyNone() {
        long undecided = candidates.stream()
                .filter(result -> result.candidate().kind() == Candidate.Kind.CANDIDATE)
                .filter(result -> result.cellFor(base.scenario())
                        .filter(cell -> cell.verdict() == Verdict.INCONCLUSIVE)
                        .isPresent())
                .count();
        return undecided == 0
                ? "No candidate holds at the file's isolation level."
                : "No candidate was shown to hold at the file's isolation level, and " + undecided
                        + (undecided == 1 ? " is" : " are") + " undecided: more time (--timeout) may decide.";
    }

    /**
     * The candidate to take.
     *
     * @param candidate which
     * @param reasons why, one sentence each
     * @param how the change in SQL or in the scenario's terms, several lines
     * @param risks what remains, one sentence each
     */
    public record Recommendation(Candidate candidate, List<String> reasons, String how, List<String> risks) {
        /** Copies the lists. */
        public Recommendation {
            reasons = List.copyOf(reasons);
            risks = List.copyOf(risks);
        }
    }
}

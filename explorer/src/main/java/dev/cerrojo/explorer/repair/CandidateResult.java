package dev.cerrojo.explorer.repair;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What trying a candidate found.
 *
 * @param candidate the candidate
 * @param notBuilt why it could not be built from what the file declares; then there are no cells
 * @param cells one per isolation level at which it was tried
 * @param blocksOtherScopes whether sessions of two different scopes wait for each other; empty when that cannot be told,
 *     or does not matter because it holds nowhere
 * @param extraStatements statements that it adds to a transaction, at most; empty for one of the user's
 */
public record CandidateResult(
        Candidate candidate,
        Optional<String> notBuilt,
        List<Cell> cells,
        Optional<Boolean> blocksOtherScopes,
        OptionalInt extraStatements) {
    /** Copies the list. */
    public CandidateResult {
        cells = List.copyOf(cells);
    }
}

package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.scenario.Scenario;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

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

    /**
     * {@return what was found at a scenario's own level; of a candidate that brings its level, at that one; where transactions
     * have several levels, at the first at which it holds}
     */
    public Optional<Cell> cellFor(Scenario scenario) {
        if (cells.size() == 1) {
            return Optional.of(cells.get(0));
        }
        Set<String> levels = scenario.transactions().values().stream()
                .map(transaction -> transaction.isolation().sql())
                .collect(Collectors.toSet());
        return cells.stream()
                .filter(cell -> levels.size() == 1 ? levels.contains(cell.isolation()) : cell.holds())
                .findFirst();
    }
}

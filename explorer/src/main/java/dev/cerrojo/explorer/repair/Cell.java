package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.GatedPass;
import dev.cerrojo.explorer.check.Judgement;
import dev.cerrojo.explorer.scenario.Expectation;
import dev.cerrojo.explorer.search.Verdict;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * One candidate at one isolation.
 *
 * @param isolation the level, as SQL writes it; {@code as declared} for a candidate of the user's, which has its own
 * @param result what exploring it found; a violated one may have stopped at the first violation
 * @param newSqlStates SQLSTATEs that callers see and did not see before the repair
 * @param expectation what the file expects of it, if it does
 * @param inside what stopping inside of statements found, when it holds between them
 */
public record Cell(
        String isolation,
        CheckResult result,
        SortedSet<String> newSqlStates,
        Optional<Expectation> expectation,
        Optional<GatedPass> inside) {
    /** Copies the set. */
    public Cell {
        newSqlStates = Collections.unmodifiableSortedSet(new TreeSet<>(newSqlStates));
    }

    /** {@return the verdict, with what happens inside of statements} */
    public Verdict verdict() {
        return result.verdict() == Verdict.HOLDS
                ? inside.map(GatedPass::verdict).orElse(Verdict.HOLDS)
                : result.verdict();
    }

    /** {@return whether no schedule violates the invariant, and some session commits} */
    public boolean holds() {
        return verdict() == Verdict.HOLDS && result.committing() > 0;
    }

    /** {@return whether it holds only because nothing ever commits, which is no repair} */
    public boolean neverCommits() {
        return result.verdict() == Verdict.HOLDS && result.committing() == 0;
    }

    /** {@return whether what the file expects was found, also inside of statements; empty when it expects nothing} */
    public Optional<Judgement> judgement() {
        return expectation.map(expected -> Judgement.of(expected, result, inside));
    }
}

package dev.cerrojo.explorer.check;

import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Exploration;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What the exhaustive and the reduced search of one run found.
 *
 * @param run the run's number in the scenario, from 1
 * @param isolation the level of all its transactions, as SQL writes it; {@code as declared} when they have their own
 * @param exhaustive what running every schedule found
 * @param reduced what running one of all that cannot be told apart found
 */
public record SearchComparison(int run, String isolation, Exploration exhaustive, Exploration reduced) {
    /** What a comparison says. */
    public enum Result {
        /** Both ran to their end, and found the same endings. */
        EQUAL,
        /** One of them ran to its end, and did not find an ending that the other found. */
        DIFFERENT,
        /** One of them gave up, and nothing shows a difference. */
        UNDECIDED
    }

    /** {@return what it says} */
    public Result result() {
        boolean lost = reduced.exhausted() && !lost().isEmpty();
        boolean invented = exhaustive.exhausted() && !invented().isEmpty();
        if (lost || invented) {
            return Result.DIFFERENT;
        }
        return exhaustive.exhausted() && reduced.exhausted() ? Result.EQUAL : Result.UNDECIDED;
    }

    /** {@return the endings that only the exhaustive search found} */
    public Set<Execution.Ending> lost() {
        return difference(exhaustive, reduced);
    }

    /** {@return the endings that only the reduced search found: the subject is not deterministic} */
    public Set<Execution.Ending> invented() {
        return difference(reduced, exhaustive);
    }

    private static Set<Execution.Ending> difference(Exploration one, Exploration other) {
        Set<Execution.Ending> difference = new LinkedHashSet<>(one.endings().keySet());
        difference.removeAll(other.endings().keySet());
        return difference;
    }

    /** The counts in one line, and every difference. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("run " + run + " at " + isolation + ": " + exhaustive.schedules()
                + " schedules with " + exhaustive.endings().size() + " endings, reduced "
                + reduced.schedules() + " with " + reduced.endings().size());
        if (!reduced.reduced()) {
            text.append(" (cannot be reduced)");
        }
        exhaustive.reason().ifPresent(reason -> text.append("; exhaustive: ").append(reason));
        reduced.reason().ifPresent(reason -> text.append("; reduced: ").append(reason));
        lost().forEach(ending -> text.append("\nonly exhaustive: ").append(ending));
        invented().forEach(ending -> text.append("\nonly reduced: ").append(ending));
        return text.toString();
    }
}

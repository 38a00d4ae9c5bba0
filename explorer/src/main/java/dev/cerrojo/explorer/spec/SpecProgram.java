package dev.cerrojo.explorer.spec;

import dev.cerrojo.tx.Isolation;
import java.util.ArrayList;
import java.util.List;

/**
 * What the sessions do, in all orders that keep each session's own.
 *
 * @param number its number in the file, from 1
 * @param steps the steps of each session of the file, in order; none for a session that takes no part
 */
public record SpecProgram(int number, List<List<SpecStep>> steps) {
    /** Copies the lists. */
    public SpecProgram {
        List<List<SpecStep>> copy = new ArrayList<>();
        steps.forEach(ofSession -> copy.add(List.copyOf(ofSession)));
        steps = List.copyOf(copy);
    }

    /** {@return the same steps at another isolation level} */
    SpecProgram isolated(Isolation level) {
        IsolationRewriter rewriter = new IsolationRewriter(level);
        return new SpecProgram(
                number,
                steps.stream()
                        .map(ofSession ->
                                ofSession.stream().map(rewriter::rewrite).toList())
                        .toList());
    }
}

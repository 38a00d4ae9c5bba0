package dev.cerrojo.explorer.stress;

import dev.cerrojo.explorer.search.Violation;
import java.util.List;
import java.util.Optional;

/**
 * What a stress test counted.
 *
 * @param asked what was asked for
 * @param scopes over how many scopes the operations were spread
 * @param oneScope why it was only one, if so; half a sentence
 * @param alone what the same operations leave when they run one after another, as the file stands
 * @param unjudged why a violation at the end would say nothing, if so; half a sentence
 * @param passes what was counted when they ran at once: as the file stands, and with the recommended candidate, if there is one
 */
public record StressReport(
        Stress asked,
        int scopes,
        Optional<String> oneScope,
        List<Violation> alone,
        Optional<String> unjudged,
        List<Pass> passes) {
    /** Copies the lists. */
    public StressReport {
        alone = List.copyOf(alone);
        passes = List.copyOf(passes);
    }

    /** {@return the pass that counts: with the recommended candidate, or as the file stands when it needs none} */
    public Pass last() {
        return passes.get(passes.size() - 1);
    }
}

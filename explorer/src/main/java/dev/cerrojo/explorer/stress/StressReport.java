package dev.cerrojo.explorer.stress;

import java.util.List;
import java.util.Optional;

/**
 * What a stress test counted.
 *
 * @param asked what was asked for
 * @param scopes over how many scopes the operations were spread
 * @param oneScope why it was only one, if so; half a sentence
 * @param unjudged why a violation at the end would say nothing, if so; half a sentence. Otherwise the same operations, run one
 *     after another as the file stands, violated nothing at any time
 * @param passes what was counted when they ran at once: as the file stands, and with the recommended candidate, if there is one
 */
public record StressReport(
        Stress asked, int scopes, Optional<String> oneScope, Optional<String> unjudged, List<Pass> passes) {
    /** Copies the lists. */
    public StressReport {
        passes = List.copyOf(passes);
    }

    /** {@return the pass that counts: with the recommended candidate, or as the file stands when it needs none} */
    public Pass last() {
        return passes.get(passes.size() - 1);
    }
}

package dev.cerrojo.explorer.schedule;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All that one turn did.
 *
 * @param session who had the turn
 * @param effects its step first, then the steps that had waited and went on
 */
public record Move(int session, List<Effect> effects) {
    /** Copies the effects. */
    public Move {
        effects = List.copyOf(effects);
    }

    /** {@return the sessions whose steps it was, or let go on} */
    public Set<Integer> sessions() {
        return effects.stream().map(Effect::session).collect(Collectors.toSet());
    }
}

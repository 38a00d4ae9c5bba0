package dev.cerrojo.explorer.schedule;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All that one turn did.
 *
 * @param session who had the turn
 * @param fault what befell it, if anything did
 * @param effects its step first, then the steps that had waited and went on
 */
public record Move(int session, Optional<Fault> fault, List<Effect> effects) {
    /** Copies the effects. */
    public Move {
        effects = List.copyOf(effects);
    }

    /**
     * A turn without a fault.
     *
     * @param session who had the turn
     * @param effects its step first, then the steps that had waited and went on
     */
    public Move(int session, List<Effect> effects) {
        this(session, Optional.empty(), effects);
    }

    /** {@return the number by which a chooser makes it} */
    public int option() {
        return new Choice.Turn(session, fault).option();
    }

    /** {@return the sessions whose steps it was, or let go on} */
    public Set<Integer> sessions() {
        return effects.stream().map(Effect::session).collect(Collectors.toSet());
    }
}

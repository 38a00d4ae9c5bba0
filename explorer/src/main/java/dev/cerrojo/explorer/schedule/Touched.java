package dev.cerrojo.explorer.schedule;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What the open transaction of a backend touched, up to the last step.
 *
 * @param footprint all of it; advisory keys of a session outlive the transaction
 * @param advisory the advisory keys that were held or waited for after the last step
 */
record Touched(Footprint footprint, Footprint advisory) {
    static final Touched NOTHING = new Touched(Footprint.NONE, Footprint.NONE);

    private static final Predicate<String> IS_ADVISORY = key -> key.startsWith("advisory");

    Touched and(Footprint now) {
        return new Touched(footprint.with(now), only(now, IS_ADVISORY));
    }

    Touched afterEnd() {
        return new Touched(only(footprint, IS_ADVISORY), advisory);
    }

    /**
     * Tells what one step touched. A relation that is locked already may be read or written again, and nothing tells. An
     * advisory key that is held already has no effect when it is taken again; what counts is which came and which went.
     *
     * @param now what is held and waited for after it
     * @param woken whether it waited before; then all it waited for counts
     */
    Footprint step(Footprint now, boolean woken) {
        Footprint relations = only(footprint.with(now), IS_ADVISORY.negate());
        return relations.with(woken ? only(now, IS_ADVISORY) : changes(only(now, IS_ADVISORY)));
    }

    private Footprint changes(Footprint now) {
        Set<String> changed = difference(advisory.writes(), now.writes());
        changed.addAll(difference(advisory.exclusive(), now.exclusive()));
        return new Footprint(Set.of(), changed, Set.of(), false);
    }

    private static Set<String> difference(Set<String> one, Set<String> other) {
        Set<String> in = new TreeSet<>(one);
        in.addAll(other);
        in.removeIf(key -> one.contains(key) && other.contains(key));
        return in;
    }

    private static Footprint only(Footprint footprint, Predicate<String> kept) {
        return new Footprint(
                filter(footprint.reads(), kept),
                filter(footprint.writes(), kept),
                filter(footprint.exclusive(), kept),
                footprint.everything());
    }

    private static Set<String> filter(Set<String> keys, Predicate<String> kept) {
        return keys.stream().filter(kept).collect(Collectors.toSet());
    }
}

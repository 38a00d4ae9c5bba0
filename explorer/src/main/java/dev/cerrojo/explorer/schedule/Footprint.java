package dev.cerrojo.explorer.schedule;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a step touched, as far as PostgreSQL's lock table tells. Rows are not told apart: whoever writes a relation touches
 * all of it.
 *
 * @param reads what was read: relations locked in ACCESS SHARE mode
 * @param writes what was written, or locked against writers: relations locked in any stronger mode, and advisory keys
 * @param exclusive what was also locked against readers: relations locked in ACCESS EXCLUSIVE mode
 * @param everything whether that is not known, so that anything may have been touched
 */
public record Footprint(Set<String> reads, Set<String> writes, Set<String> exclusive, boolean everything) {
    /** Touches nothing. */
    public static final Footprint NONE = new Footprint(Set.of(), Set.of(), Set.of(), false);

    /** May have touched anything. */
    public static final Footprint EVERYTHING = new Footprint(Set.of(), Set.of(), Set.of(), true);

    /** Copies the sets. */
    public Footprint {
        reads = Collections.unmodifiableSet(new TreeSet<>(reads));
        writes = Collections.unmodifiableSet(new TreeSet<>(writes));
        exclusive = Collections.unmodifiableSet(new TreeSet<>(exclusive));
    }

    /**
     * Joins two footprints.
     *
     * @param other another
     * @return what either touched
     */
    public Footprint with(Footprint other) {
        return new Footprint(
                union(reads, other.reads),
                union(writes, other.writes),
                union(exclusive, other.exclusive),
                everything || other.everything);
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        Set<String> all = new TreeSet<>(one);
        all.addAll(other);
        return all;
    }

    /** {@return whether both wrote the same, or one locked out what the other touched} */
    public boolean locksMeet(Footprint other) {
        return meet(writes, other.writes) || exclusiveMeets(other) || other.exclusiveMeets(this);
    }

    private boolean exclusiveMeets(Footprint other) {
        return meet(exclusive, other.reads) || meet(exclusive, other.writes);
    }

    /** {@return whether this wrote what the other touched} */
    public boolean writesMeet(Footprint other) {
        return meet(writes, other.writes) || meet(writes, other.reads);
    }

    private static boolean meet(Set<String> one, Set<String> other) {
        return !Collections.disjoint(one, other);
    }
}

package dev.cerrojo.leasefaults.history;

import java.util.Collections;
import java.util.Set;

/**
 * What a process asked of the store about one entity, and what it was told.
 *
 * @param kind what it asked for
 * @param owner for whom: one acquisition and what follows it
 * @param groups the groups of fields that it is about; empty for the whole entity
 * @param invoked when it asked, in nanoseconds of the machine's clock that only goes forward, which all its processes share
 * @param returned when it was told; {@link #NEVER} when it was not
 * @param told the answer
 * @param token of an acquisition that was granted, and of a commit; else 0
 */
record Call(Kind kind, String owner, Set<String> groups, long invoked, long returned, Told told, long token) {
    static final long NEVER = Long.MAX_VALUE;

    /** What a lease can be asked. */
    enum Kind {
        ACQUIRE,
        RENEW,
        RELEASE,
        /** Whether a transaction that the lease protects is committed. */
        COMMIT
    }

    /** How the store answers. */
    enum Told {
        YES,
        NO,
        /** That it is so now, whatever was before. */
        DONE,
        /** Nothing, or that it failed: it may have had its effect, may still have it, or never. */
        NOTHING
    }

    boolean isOpen() {
        return told == Told.NOTHING;
    }

    /** {@return whether both cannot hold what they are about at once} */
    boolean excludes(String otherOwner, Set<String> others) {
        return !owner.equals(otherOwner)
                && (groups.isEmpty() || others.isEmpty() || !Collections.disjoint(groups, others));
    }

    /** {@return whether there is a moment at which both were on their way} */
    boolean overlaps(Call other) {
        return invoked <= other.returned && other.invoked <= returned;
    }
}

package dev.cerrojo.leasefaults.history;

/**
 * What a process asked of the store about one lease, and what it was told.
 *
 * @param kind what it asked for
 * @param owner for whom
 * @param invoked when it asked, in nanoseconds of the machine's clock that only goes forward, which all its processes share
 * @param returned when it was told; {@link #NEVER} when it was not
 * @param told the answer
 * @param token of an acquisition that was granted; else 0
 */
record Call(Kind kind, String owner, long invoked, long returned, Told told, long token) {
    static final long NEVER = Long.MAX_VALUE;

    /** What a lease can be asked. */
    enum Kind {
        ACQUIRE,
        RENEW,
        RELEASE
    }

    /** How the store answers. */
    enum Told {
        YES,
        NO,
        /** Nothing, or that it failed: it may have had its effect, may still have it, or never. */
        NOTHING
    }

    boolean isOpen() {
        return told == Told.NOTHING;
    }
}

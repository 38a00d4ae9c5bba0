package dev.cerrojo.backoffice.state;

import java.util.List;

/**
 * What the page shows.
 *
 * @param margins the scopes nearest to a violation
 * @param leases what is held at the moment
 * @param waiting transactions that wait for others
 * @param claims work that is claimed by nobody who still lives
 */
record State(List<Margin> margins, List<Held> leases, List<Waiting> waiting, List<Stuck> claims) {

    /**
     * How far a scope is from a violation.
     *
     * @param margin how many rows more may go; 0 when the next one is refused
     */
    record Margin(String invariant, String scope, long margin) {}

    /** A lease that somebody has. */
    record Held(String scope, String holder, long endsInMillis) {}

    /**
     * A transaction that waits.
     *
     * @param pid its backend
     * @param waitsFor the backends that it waits for
     */
    record Waiting(int pid, List<Integer> waitsFor, long millis, String statement) {}

    /** A claim whose time is over. */
    record Stuck(String store, String key, long millis) {}
}

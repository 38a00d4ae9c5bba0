package dev.cerrojo.backoffice.state;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the page shows.
 *
 * @param margins the scopes nearest to a violation
 * @param leases what is held at the moment
 * @param waiting transactions that wait for others
 * @param claims work that is claimed by nobody who still lives
 * @param products what can be chosen
 * @param versions of the chosen product, newest first
 * @param log of the chosen product, newest first
 */
record State(
        List<Margin> margins,
        List<Held> leases,
        List<Waiting> waiting,
        List<Stuck> claims,
        List<Choice> products,
        List<Entry> versions,
        List<Entry> log) {

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

    /** A product. */
    record Choice(long id, String title) {}

    /**
     * A version, or an entry of the operation log.
     *
     * @param number the version's; null in the log
     * @param changed the names of the fields
     */
    record Entry(@Nullable Long number, Instant at, String by, List<String> changed) {}
}

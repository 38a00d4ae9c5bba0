package dev.cerrojo.explorer.stress;

import dev.cerrojo.explorer.search.Violation;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was counted while operations ran at once.
 *
 * @param protection what protects them: a candidate's id; empty when they run as the file stands
 * @param clients how many operations were under way at once, at most
 * @param committed operations that ended committed
 * @param refused operations that ended refused, by a check of the scenario or by a guard in the database
 * @param exhausted operations that were run as often as they may be, and ended refused with 40001 or 40P01
 * @param failed SQLSTATE → operations that ended with it
 * @param rerun operations that were run more than once
 * @param retries how often operations were run again
 * @param errors SQLSTATE → how often a statement of an operation failed with it, those injected included
 * @param injected what was injected
 * @param ledger rows that operations wrote, in their own transactions, into a table that only this test has: committed, as
 *     the database counts it
 * @param afterCommit side effects that operations left to {@code afterCommit}
 * @param inside the same side effects, done inside of the transaction at once
 * @param violations invariants that do not hold at the end
 * @param elapsed how long it took
 */
public record Pass(
        String protection,
        int clients,
        int committed,
        int refused,
        int exhausted,
        Map<String, Integer> failed,
        int rerun,
        int retries,
        Map<String, Integer> errors,
        Injected injected,
        int ledger,
        SideEffects afterCommit,
        SideEffects inside,
        List<Violation> violations,
        Duration elapsed) {
    /** Copies what is given. */
    public Pass {
        failed = Collections.unmodifiableMap(new TreeMap<>(failed));
        errors = Collections.unmodifiableMap(new TreeMap<>(errors));
        violations = List.copyOf(violations);
    }

    /**
     * What was injected, as it happened.
     *
     * @param lockOrders pairs of operations that took two tables' locks in opposite order
     * @param failures how often 40001 was raised at the end of a transaction
     */
    public record Injected(int lockOrders, int failures) {}

    /**
     * Side effects, compared with what was committed.
     *
     * @param done how many
     * @param duplicates how many of them were second ones, or later, of one operation
     * @param uncommitted operations that had one, and were not committed
     * @param missing operations that were committed, and had none
     */
    public record SideEffects(int done, int duplicates, int uncommitted, int missing) {
        /** {@return whether each operation that was committed had one, and no other any} */
        public boolean isExact() {
            return duplicates == 0 && uncommitted == 0 && missing == 0;
        }
    }

    /** {@return how often PostgreSQL ended a statement to end a deadlock} */
    public int deadlockVictims() {
        return errors.getOrDefault("40P01", 0);
    }

    /** {@return whether the database counts as many commits as the operations' callers do} */
    public boolean isCountedAlike() {
        return ledger == committed;
    }
}

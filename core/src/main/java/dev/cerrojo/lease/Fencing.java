package dev.cerrojo.lease;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Whether leases are fenced, and by whom.
 *
 * @param fences where; empty for leases without
 * @param byStore whether the store raises the fence itself, when it grants
 */
record Fencing(Optional<Fences> fences, boolean byStore) {
    static Fencing of(LeaseStore store) {
        return store instanceof PostgresLeaseStore postgres
                ? new Fencing(Optional.of(postgres.fences()), true)
                : new Fencing(Optional.empty(), false);
    }

    /** {@return the fencing token of what the store has granted; empty when a former holder's transaction is still open} */
    OptionalLong token(LeaseClaim claim, long storeToken) {
        if (!leavesRows()) {
            return OptionalLong.of(storeToken);
        }
        Optional<Long> raised = BriefRetry.of(() -> boxed(fences.orElseThrow().raise(claim)));
        return raised.map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    private static Optional<Long> boxed(OptionalLong token) {
        return token.isPresent() ? Optional.of(token.getAsLong()) : Optional.empty();
    }

    /** {@return whether acquisitions leave rows behind that the store does not know of} */
    boolean leavesRows() {
        return fences.isPresent() && !byStore;
    }

    /** Removes what an acquisition that is over has left behind. */
    void drop(Holding holding) {
        fences.ifPresent(it -> it.drop(holding.claim(), holding.token()));
    }

    /** {@return how many rows were removed that nobody can need; those beside leases are the store's to purge} */
    int purge() {
        return leavesRows() ? fences.orElseThrow().purge() : 0;
    }
}

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
        if (fences.isEmpty() || byStore) {
            return OptionalLong.of(storeToken);
        }
        Optional<Long> raised = BriefRetry.of(() -> boxed(fences.orElseThrow().raise(claim)));
        return raised.map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    private static Optional<Long> boxed(OptionalLong token) {
        return token.isPresent() ? Optional.of(token.getAsLong()) : Optional.empty();
    }

    /** Removes what an acquisition that is over leaves behind, where the store does not see to it. */
    void released(Holding holding) {
        if (!byStore) {
            fences.ifPresent(it -> it.drop(holding.claim(), holding.token()));
        }
    }

    /** {@return how many rows were removed that nobody can need; those beside leases are the store's to purge} */
    int purge() {
        return byStore ? 0 : fences.map(Fences::purge).orElse(0);
    }
}

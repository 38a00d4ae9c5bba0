package dev.cerrojo.idempotency;

import dev.cerrojo.internal.Workers;

/** Claims of one store, kept while their work is done. */
final class Phases<K, R> implements AutoCloseable {
    private final ClaimStore<K, R> store;
    private final IdempotencySettings settings;
    private final Workers workers;
    private final SometimesPurged purge = new SometimesPurged();

    Phases(ClaimStore<K, R> store, IdempotencySettings settings) {
        this.store = store;
        this.settings = settings;
        this.workers = new Workers(settings.threads());
    }

    Begun<R> begin(K key, RequestHash request) {
        ClaimToken token = ClaimToken.random();
        try {
            return begin(key, request, token);
        } catch (IdempotencyStoreException lostAnswer) {
            return beginAgain(key, request, token, lostAnswer);
        }
    }

    /** With the same token, since it may have been granted: else nobody would have the key until that claim's time is over. */
    private Begun<R> beginAgain(K key, RequestHash request, ClaimToken token, IdempotencyStoreException before) {
        try {
            return begin(key, request, token);
        } catch (IdempotencyStoreException unreachable) {
            unreachable.addSuppressed(before);
            throw unreachable;
        }
    }

    private Begun<R> begin(K key, RequestHash request, ClaimToken token) {
        long sent = System.nanoTime();
        ClaimAttempt<R> attempt = store.claim(key, request, token, ClaimTerms.of(settings));
        if (attempt instanceof ClaimAttempt.Claimed<R> claimed) {
            return new Begun.Ours<>(held(key, token, claimed.number(), sent));
        }
        return new Begun.Before<>(Settled.result(key, attempt));
    }

    private HeldClaim<K, R> held(K key, ClaimToken token, int number, long sent) {
        HeldClaim<K, R> claim = new HeldClaim<>(store, key, token, number, settings, workers, sent);
        claim.start();
        if (purge.isTime()) {
            workers.store().execute(() -> SometimesPurged.quietly(() -> store.purge(SometimesPurged.MOST)));
        }
        return claim;
    }

    /** {@return what the work of a claim came to, kept unless the work has settled it itself} */
    <X extends Exception> R call(Begun<R> begun, PhasedWork<R, X> work) throws X {
        try (HeldClaim<?, R> claim = (HeldClaim<?, R>) ((Begun.Ours<R>) begun).claim()) {
            R result = claim.call(work);
            if (!claim.isSettled()) {
                claim.complete(result);
            }
            return result;
        }
    }

    @Override
    public void close() {
        workers.close();
    }
}

package dev.cerrojo.idempotency;

import dev.cerrojo.testsupport.process.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A real store, behind a network that can be made to fail. */
final class TroubledStore implements RequestStore {
    private final RequestStore store;
    private final AtomicInteger renewals = new AtomicInteger();
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicInteger lostClaims = new AtomicInteger();
    volatile boolean isUnreachable;
    volatile boolean completesSlowly;

    TroubledStore(RequestStore store) {
        this.store = store;
    }

    /** The next claims are made, but nobody is told. */
    void loseClaims(int howMany) {
        lostClaims.set(howMany);
    }

    int renewals() {
        return renewals.get();
    }

    private RequestStore reached() {
        if (isUnreachable) {
            throw new IdempotencyStoreException("unreachable", new IllegalStateException("cable"));
        }
        return store;
    }

    @Override
    public ClaimAttempt<StoredResponse> claim(
            RequestKey key, RequestHash request, ClaimToken token, ClaimTerms terms) {
        ClaimAttempt<StoredResponse> attempt = reached().claim(key, request, token, terms);
        if (lostClaims.getAndDecrement() > 0) {
            throw new IdempotencyStoreException("no answer", new IllegalStateException("cable"));
        }
        return attempt;
    }

    @Override
    public boolean renew(RequestKey key, ClaimToken token, Duration claimFor) {
        boolean isHeld = reached().renew(key, token, claimFor);
        (isHeld ? renewals : refusals).incrementAndGet();
        return isHeld;
    }

    @Override
    public boolean complete(RequestKey key, ClaimToken token, StoredResponse result, Duration retention) {
        boolean isCompleted = reached().complete(key, token, result, retention);
        if (completesSlowly) {
            Await.until("the answer comes after two renewals that were refused", () -> refusals.get() >= 2);
        }
        return isCompleted;
    }

    @Override
    public boolean fail(RequestKey key, ClaimToken token, String reason, Duration retention) {
        return reached().fail(key, token, reason, retention);
    }

    @Override
    public boolean forget(RequestKey key, ClaimToken token) {
        return reached().forget(key, token);
    }

    @Override
    public boolean abandon(RequestKey key, ClaimToken token) {
        return reached().abandon(key, token);
    }

    @Override
    public List<StuckClaim> stuck(int most) {
        return reached().stuck(most);
    }
}

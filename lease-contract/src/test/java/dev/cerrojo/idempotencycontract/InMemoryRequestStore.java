package dev.cerrojo.idempotencycontract;

import dev.cerrojo.idempotency.ClaimAttempt;
import dev.cerrojo.idempotency.ClaimTerms;
import dev.cerrojo.idempotency.ClaimToken;
import dev.cerrojo.idempotency.RequestHash;
import dev.cerrojo.idempotency.RequestKey;
import dev.cerrojo.idempotency.RequestStore;
import dev.cerrojo.idempotency.StoredResponse;
import dev.cerrojo.idempotency.StuckClaim;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A right store in memory, or one with a mistake, as they are found in the field. */
final class InMemoryRequestStore implements RequestStore {
    enum Flaw {
        NONE,
        TAKES_OVER_WHATEVER_IT_IS("whileOneHasItNobodyElseDoes", "ofManyAtOnceOneHasIt"),
        COMPLETES_WITHOUT_COMPARING("nobodySettlesWhatAnotherHas", "aZombieIsRefusedAfterATakeover"),
        NO_REPETITION("aClaimOfTheSameTokenIsGrantedAgain"),
        NO_SECOND_COMPLETION("settlingAgainAfterALostAnswerAnswersTheSame"),
        NO_HASH("anotherRequestIsRefusedInEachState"),
        LOOKS_THEN_CLAIMS("ofManyAtOnceOneHasIt", "ofManyWhoTakeOverOneHasIt"),
        NEVER_ENDS("aClaimWithoutASignOfLifeEndsByItself"),
        RENEWAL_DOES_NOTHING("aRenewedClaimGoesOn", "whatIsAtWorkIsNotStuckAndNotPurged"),
        PURGES_ALL("resultsThatAreNotOverAreNotPurged", "whatIsLeftToAPersonIsNeverPurged");

        private final List<String> foundBy;

        Flaw(String... foundBy) {
            this.foundBy = List.of(foundBy);
        }

        List<String> foundBy() {
            return foundBy;
        }
    }

    private static final class Entry {
        private final RequestHash request;
        private final ClaimToken claim;
        private final int number;
        private long claimedUntil;
        private long expires = Long.MAX_VALUE;
        private @Nullable StoredResponse result;
        private @Nullable String failure;

        Entry(RequestHash request, ClaimToken claim, int number, long claimedUntil) {
            this.request = request;
            this.claim = claim;
            this.number = number;
            this.claimedUntil = claimedUntil;
        }

        boolean isPending() {
            return result == null && failure == null;
        }
    }

    /** What is asked of an entry. */
    private interface Asked {
        boolean of(Entry entry);
    }

    private final Map<RequestKey, Entry> entries = new HashMap<>();
    private final Flaw flaw;
    private final long start = System.nanoTime();

    InMemoryRequestStore(Flaw flaw) {
        this.flaw = flaw;
    }

    private long now() {
        return System.nanoTime() - start;
    }

    @Override
    public ClaimAttempt<StoredResponse> claim(RequestKey key, RequestHash request, ClaimToken token, ClaimTerms terms) {
        if (flaw == Flaw.LOOKS_THEN_CLAIMS) {
            return lookThenClaim(key, request, token, terms);
        }
        synchronized (this) {
            Entry found = find(key);
            ClaimAttempt<StoredResponse> attempt = attempt(found, request, token, terms);
            put(key, found, request, token, terms, attempt);
            return attempt;
        }
    }

    private ClaimAttempt<StoredResponse> lookThenClaim(
            RequestKey key, RequestHash request, ClaimToken token, ClaimTerms terms) {
        Entry found;
        ClaimAttempt<StoredResponse> attempt;
        synchronized (this) {
            found = find(key);
            attempt = attempt(found, request, token, terms);
        }
        Thread.yield();
        pause();
        synchronized (this) {
            put(key, found, request, token, terms, attempt);
        }
        return attempt;
    }

    /** The mistake takes its time. */
    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable Entry find(RequestKey key) {
        entries.values().removeIf(entry -> entry.expires <= now());
        return entries.get(key);
    }

    private ClaimAttempt<StoredResponse> attempt(
            @Nullable Entry found, RequestHash request, ClaimToken token, ClaimTerms terms) {
        if (found == null) {
            return new ClaimAttempt.Claimed<>(1);
        }
        if (!found.request.equals(request) && flaw != Flaw.NO_HASH) {
            return new ClaimAttempt.Mismatch<>();
        }
        if (found.result != null) {
            return new ClaimAttempt.Completed<>(found.result);
        }
        return found.failure == null ? pending(found, token, terms) : new ClaimAttempt.Failed<>(found.failure);
    }

    private ClaimAttempt<StoredResponse> pending(Entry found, ClaimToken token, ClaimTerms terms) {
        if (found.claim.equals(token) && flaw != Flaw.NO_REPETITION) {
            return new ClaimAttempt.Claimed<>(found.number);
        }
        long left = found.claimedUntil - now();
        if (left > 0 && flaw != Flaw.TAKES_OVER_WHATEVER_IT_IS || flaw == Flaw.NEVER_ENDS) {
            return new ClaimAttempt.InProgress<>(Duration.ofNanos(Math.max(left, 0)));
        }
        return switch (terms.takeover()) {
            case ASK -> new ClaimAttempt.Abandoned<>(found.claim);
            case FAIL -> {
                found.failure = "given up";
                found.expires = now() + terms.retention().toNanos();
                yield new ClaimAttempt.Failed<>("given up");
            }
            case RUN_AGAIN -> new ClaimAttempt.Claimed<>(found.number + 1);
        };
    }

    private void put(
            RequestKey key,
            @Nullable Entry found,
            RequestHash request,
            ClaimToken token,
            ClaimTerms terms,
            ClaimAttempt<StoredResponse> attempt) {
        if (attempt instanceof ClaimAttempt.Claimed<StoredResponse> claimed) {
            RequestHash hash = found == null ? request : found.request;
            entries.put(
                    key,
                    new Entry(
                            hash,
                            token,
                            claimed.number(),
                            now() + terms.claimFor().toNanos()));
        }
    }

    private synchronized boolean change(RequestKey key, ClaimToken token, Asked asked) {
        Entry entry = find(key);
        boolean isHis = entry != null && (entry.claim.equals(token) || flaw == Flaw.COMPLETES_WITHOUT_COMPARING);
        return isHis && asked.of(entry);
    }

    @Override
    public boolean renew(RequestKey key, ClaimToken token, Duration claimFor) {
        return change(key, token, entry -> {
            if (flaw != Flaw.RENEWAL_DOES_NOTHING) {
                entry.claimedUntil = now() + claimFor.toNanos();
            }
            return entry.isPending();
        });
    }

    @Override
    public boolean complete(RequestKey key, ClaimToken token, StoredResponse result, Duration retention) {
        return change(key, token, entry -> {
            if (entry.failure != null || entry.result != null && flaw == Flaw.NO_SECOND_COMPLETION) {
                return false;
            }
            entry.result = entry.result == null ? result : entry.result;
            entry.expires = now() + retention.toNanos();
            return true;
        });
    }

    @Override
    public boolean fail(RequestKey key, ClaimToken token, String reason, Duration retention) {
        return change(key, token, entry -> {
            if (entry.result != null) {
                return false;
            }
            entry.failure = entry.failure == null ? reason : entry.failure;
            entry.expires = now() + retention.toNanos();
            return true;
        });
    }

    @Override
    public boolean forget(RequestKey key, ClaimToken token) {
        return change(key, token, entry -> entry.isPending() && entries.remove(key) != null);
    }

    @Override
    public boolean abandon(RequestKey key, ClaimToken token) {
        return change(key, token, entry -> {
            entry.claimedUntil = Math.min(entry.claimedUntil, now());
            return entry.isPending();
        });
    }

    @Override
    public synchronized List<StuckClaim> stuck(int most) {
        return entries.entrySet().stream()
                .filter(each -> each.getValue().isPending() && each.getValue().claimedUntil <= now())
                .limit(most)
                .map(each -> stuck(each.getKey(), each.getValue()))
                .toList();
    }

    private StuckClaim stuck(RequestKey key, Entry entry) {
        String text = String.join("/", key.operation(), key.caller(), key.key());
        return new StuckClaim(text, entry.claim, entry.number, Duration.ofNanos(now() - entry.claimedUntil));
    }

    @Override
    public synchronized int purge(int most) {
        if (flaw == Flaw.PURGES_ALL) {
            entries.clear();
        }
        return 0;
    }
}

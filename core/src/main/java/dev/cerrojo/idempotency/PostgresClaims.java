package dev.cerrojo.idempotency;

import java.time.Duration;
import java.util.List;

/** A store of claims in PostgreSQL, each operation a transaction of its own. */
abstract sealed class PostgresClaims<K, R> implements ClaimStore<K, R> permits PostgresRequestStore, PostgresJobStore {
    private final ClaimTable<K, R, RuntimeException> table;

    PostgresClaims(ClaimColumns<K, R> columns, ClaimSql sql) {
        this.table = new ClaimTable<>(columns, sql);
    }

    @Override
    public ClaimAttempt<R> claim(K key, RequestHash request, ClaimToken token, ClaimTerms terms) {
        return table.claim(key, request, token, terms, terms.claimFor());
    }

    @Override
    public boolean renew(K key, ClaimToken token, Duration claimFor) {
        return table.renew(key, token, claimFor);
    }

    @Override
    public boolean complete(K key, ClaimToken token, R result, Duration retention) {
        return table.complete(key, token, result, retention);
    }

    @Override
    public boolean fail(K key, ClaimToken token, String reason, Duration retention) {
        return table.fail(key, token, reason, retention);
    }

    @Override
    public boolean forget(K key, ClaimToken token) {
        return table.forget(key, token);
    }

    @Override
    public boolean abandon(K key, ClaimToken token) {
        return table.abandon(key, token);
    }

    @Override
    public List<StuckClaim> stuck(int most) {
        return table.stuck(most);
    }

    @Override
    public int purge(int most) {
        return table.purge(most);
    }
}

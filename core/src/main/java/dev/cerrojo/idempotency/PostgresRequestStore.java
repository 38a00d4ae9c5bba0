package dev.cerrojo.idempotency;

/** Keeps requests in PostgreSQL. */
final class PostgresRequestStore extends PostgresClaims<RequestKey, StoredResponse> implements RequestStore {
    PostgresRequestStore(ClaimSql sql) {
        super(RequestColumns.DEFAULT, sql);
    }
}

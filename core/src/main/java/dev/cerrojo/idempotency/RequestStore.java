package dev.cerrojo.idempotency;

import javax.sql.DataSource;

/** Keeps requests, and what they were answered. */
public interface RequestStore extends ClaimStore<RequestKey, StoredResponse> {
    /** {@return a store in PostgreSQL, in the tables of {@link dev.cerrojo.schema.Schema}, schema {@code cerrojo}} */
    static RequestStore inPostgres(DataSource dataSource) {
        return new PostgresRequestStore(new ClaimSql(dataSource));
    }
}

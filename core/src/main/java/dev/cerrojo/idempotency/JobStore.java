package dev.cerrojo.idempotency;

import javax.sql.DataSource;

/** Keeps which jobs are done. */
public interface JobStore extends ClaimStore<JobKey, Done> {
    /** {@return a store in PostgreSQL, in the tables of {@link dev.cerrojo.schema.Schema}, schema {@code cerrojo}} */
    static JobStore inPostgres(DataSource dataSource) {
        return new PostgresJobStore(new ClaimSql(dataSource));
    }
}

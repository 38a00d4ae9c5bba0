package dev.cerrojo.idempotency;

/** Keeps jobs in PostgreSQL. */
final class PostgresJobStore extends PostgresClaims<JobKey, Done> implements JobStore {
    PostgresJobStore(ClaimSql sql) {
        super(JobColumns.DEFAULT, sql);
    }
}

package dev.cerrojo.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.Transactions;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IdempotentJobsPostgresTest {
    private static final JobKey KEY = JobKey.of("send-invoice", "invoice/2026-17");
    private static final RequestHash PAYLOAD = RequestHash.ofText("{}");

    private final ClaimsDatabase database = new ClaimsDatabase();
    private final Transactions transactions = Transactions.over(database.dataSource());
    private final IdempotentJobs jobs = IdempotentJobs.with(IdempotencySettings.defaults());
    private final JobStore store = JobStore.inPostgres(database.dataSource());

    IdempotentJobsPostgresTest() throws SQLException {
        database.execute("CREATE TABLE invoice (n int)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static void send(Transaction tx) throws SQLException {
        try (Statement statement = tx.connection().createStatement()) {
            statement.execute("INSERT INTO invoice VALUES (1)");
        }
    }

    private boolean run() {
        return jobs.run(transactions, KEY, PAYLOAD, IdempotentJobsPostgresTest::send);
    }

    private long invoices() {
        return database.number("SELECT count(*) FROM invoice");
    }

    @Test
    void aJobIsDoneOnce() {
        assertThat(run()).isTrue();
        assertThat(run()).isFalse();
        assertThat(invoices()).isOne();
    }

    @Test
    void aJobThatFailsIsDoneTheNextTime() {
        assertThatThrownBy(() -> jobs.run(transactions, KEY, PAYLOAD, tx -> {
                    send(tx);
                    throw new IllegalStateException("no printer");
                }))
                .hasMessage("no printer");
        assertThat(invoices()).isZero();
        assertThat(run()).isTrue();
    }

    @Test
    void anotherJobWithTheKeyIsRefused() {
        run();
        assertThatThrownBy(
                        () -> jobs.run(transactions, KEY, RequestHash.ofText("[]"), IdempotentJobsPostgresTest::send))
                .isInstanceOf(RequestMismatchException.class)
                .hasMessageContaining("invoice/2026-17");
    }

    /** Same names, other table: neither answers, nor cleans up, the other. */
    @Test
    void jobsAndRequestsAreApart() throws SQLException {
        run();
        IdempotentRequests requests = IdempotentRequests.with(IdempotencySettings.defaults());
        RequestKey same = RequestKey.of(KEY.operation(), "worker", KEY.key());
        assertThat(requests.call(transactions, same, PAYLOAD, tx -> StoredResponse.json(200, "{}"))
                        .replayed())
                .isFalse();
        database.execute("UPDATE cerrojo.job SET expires_at = '2000-01-01'");
        assertThat(RequestStore.inPostgres(database.dataSource()).purge(10)).isZero();
        assertThat(store.purge(10)).isOne();
        assertThat(database.number("SELECT count(*) FROM cerrojo.api_request")).isOne();
    }

    /** A phase that somebody else is in, seen from one commit. */
    @Test
    void whoMeetsAClaimInPhasesIsToldForHowLong() {
        store.claim(
                KEY,
                PAYLOAD,
                ClaimToken.random(),
                new ClaimTerms(Duration.ofMinutes(5), Duration.ofDays(1), Takeover.RUN_AGAIN));
        assertThatThrownBy(this::run)
                .isInstanceOfSatisfying(
                        InProgressException.class,
                        inProgress -> assertThat(inProgress.retryAfter())
                                .isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5)));
    }
}

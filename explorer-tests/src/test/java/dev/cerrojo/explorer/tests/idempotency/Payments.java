package dev.cerrojo.explorer.tests.idempotency;

import dev.cerrojo.idempotency.IdempotencySettings;
import dev.cerrojo.idempotency.IdempotentJobs;
import dev.cerrojo.idempotency.IdempotentRequests;
import dev.cerrojo.idempotency.JobKey;
import dev.cerrojo.idempotency.JobStore;
import dev.cerrojo.idempotency.PhasedJobs;
import dev.cerrojo.idempotency.PhasedRequests;
import dev.cerrojo.idempotency.Reply;
import dev.cerrojo.idempotency.RequestHash;
import dev.cerrojo.idempotency.RequestKey;
import dev.cerrojo.idempotency.RequestStore;
import dev.cerrojo.idempotency.StoredResponse;
import dev.cerrojo.idempotency.Takeover;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.Transactions;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** Takes orders and payments, each of which may come twice. */
public final class Payments implements AutoCloseable {
    private final Transactions transactions;
    private final IdempotentRequests requests;
    private final IdempotentJobs jobs;
    private final PhasedRequests phasedRequests;
    private final PhasedJobs phasedJobs;
    private final Provider provider;

    /** Takes money, by a key of its own. */
    public interface Provider {
        String charge(String key, byte[] order);

        boolean hasCharged(String key);
    }

    public Payments(DataSource dataSource, Provider provider) {
        this.provider = provider;
        this.transactions = Transactions.over(dataSource);
        IdempotencySettings settings = IdempotencySettings.builder()
                .retention(Duration.ofDays(7))
                .takeover(Takeover.RUN_AGAIN)
                .build();
        this.requests = IdempotentRequests.with(settings);
        this.jobs = IdempotentJobs.with(settings);
        this.phasedRequests = PhasedRequests.over(RequestStore.inPostgres(dataSource), settings);
        this.phasedJobs = PhasedJobs.over(JobStore.inPostgres(dataSource), settings);
    }

    public Reply order(String customer, String idempotencyKey, byte[] body) {
        RequestKey key = RequestKey.of("place-order", customer, idempotencyKey);
        return requests.call(transactions, key, RequestHash.ofBytes(body), tx -> {
            insert(tx, new String(body, StandardCharsets.UTF_8));
            return StoredResponse.json(201, "{\"order\":\"placed\"}");
        });
    }

    public boolean invoice(String order, byte[] payload) throws SQLException {
        JobKey key = JobKey.of("write-invoice", "order/" + order);
        return jobs.run(transactions, key, RequestHash.ofBytes(payload), tx -> insert(tx, "invoice of " + order));
    }

    public Reply pay(String customer, String idempotencyKey, byte[] body) {
        RequestKey key = RequestKey.of("pay", customer, idempotencyKey);
        return phasedRequests.call(key, RequestHash.ofBytes(body), claim -> {
            String charge = provider.charge(customer + "/" + idempotencyKey, body); // the provider takes the key, too
            return StoredResponse.json(201, charge);
        });
    }

    public boolean charge(String order, byte[] payload) {
        JobKey key = JobKey.of("charge", "order/" + order);
        return phasedJobs.run(key, RequestHash.ofBytes(payload), () -> provider.hasCharged(order), claim -> {
            provider.charge(order, payload);
        });
    }

    private static void insert(Transaction tx, String note) throws SQLException {
        try (PreparedStatement insert = tx.connection().prepareStatement("INSERT INTO orders (note) VALUES (?)")) {
            insert.setString(1, note);
            insert.executeUpdate();
        }
    }

    @Override
    public void close() {
        phasedRequests.close();
        phasedJobs.close();
    }
}

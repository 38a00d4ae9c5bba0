package dev.cerrojo.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.embedded.EmbeddedPostgres;
import dev.cerrojo.explorer.measure.Comparison;
import dev.cerrojo.explorer.measure.Contender;
import dev.cerrojo.idempotency.ClaimAttempt;
import dev.cerrojo.idempotency.ClaimTerms;
import dev.cerrojo.idempotency.ClaimToken;
import dev.cerrojo.idempotency.IdempotencySettings;
import dev.cerrojo.idempotency.IdempotentRequests;
import dev.cerrojo.idempotency.RequestHash;
import dev.cerrojo.idempotency.RequestKey;
import dev.cerrojo.idempotency.RequestStore;
import dev.cerrojo.idempotency.StoredResponse;
import dev.cerrojo.idempotency.Takeover;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * A request that inserts one row, each with a key of its own: claim, work and response in three commits, in one, and without any key;
 * commits durable. From the root of a checkout:
 *
 * <pre>{@code
 * mvn -B -Djacoco.skip=true -pl benchmarks -am -Dtest=IdempotencyBenchmark -Dsurefire.failIfNoSpecifiedTests=false test
 * }</pre>
 *
 * <p>{@code -Dcerrojo.benchmark.rounds=…} and {@code -Dcerrojo.benchmark.clients=…} change 15 rounds and 8 clients.
 */
class IdempotencyBenchmark {
    private static final int CLIENTS = Integer.getInteger("cerrojo.benchmark.clients", 8);
    private static final Comparison COMPARISON =
            new Comparison(CLIENTS, Integer.getInteger("cerrojo.benchmark.rounds", 15), Duration.ofMillis(400));
    private static final RequestHash REQUEST = RequestHash.ofText("three apples");
    private static final StoredResponse CREATED = StoredResponse.json(201, "{\"order\":17}");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final ClaimTerms TERMS = new ClaimTerms(HOUR, HOUR, Takeover.RUN_AGAIN);

    private final AtomicLong keys = new AtomicLong();

    /** One request. */
    private interface Way {
        void run(RequestKey key) throws SQLException;
    }

    private record Requests(String name, AtomicLong keys, Way way) implements Contender {
        @Override
        public Client client(int number) {
            return new Client() {
                @Override
                public int transaction() throws SQLException {
                    way.run(RequestKey.of("place-order", "customer/17", Long.toString(keys.incrementAndGet())));
                    return 0;
                }

                @Override
                public void close() {
                    // its connections belong to the pool
                }
            };
        }
    }

    @Test
    void requests() throws Exception {
        EmbeddedPostgres.Options options =
                EmbeddedPostgres.Options.builder().durable(true).build();
        try (EmbeddedPostgres server = EmbeddedPostgres.start(options);
                HikariDataSource pool = pool(server)) {
            Schema.over(pool).create();
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text)");
            }
            MeasuredTable.print("Requests, " + CLIENTS + " clients", COMPARISON.of(contenders(pool)));
        }
    }

    private static HikariDataSource pool(EmbeddedPostgres server) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.jdbcUrl());
        config.setMaximumPoolSize(CLIENTS);
        return new HikariDataSource(config);
    }

    private List<Contender> contenders(HikariDataSource pool) {
        Transactions transactions = Transactions.over(pool);
        RequestStore store = RequestStore.inPostgres(pool);
        IdempotentRequests requests = IdempotentRequests.with(IdempotencySettings.defaults());
        return List.of(
                new Requests("three commits", keys, key -> inThreeCommits(store, transactions, key)),
                new Requests(
                        "one commit",
                        keys,
                        key -> requests.call(transactions, key, REQUEST, IdempotencyBenchmark::order)),
                new Requests("without a key", keys, key -> transactions.call(IdempotencyBenchmark::order)));
    }

    private static void inThreeCommits(RequestStore store, Transactions transactions, RequestKey key) {
        ClaimToken token = ClaimToken.random();
        if (!(store.claim(key, REQUEST, token, TERMS) instanceof ClaimAttempt.Claimed)) {
            throw new IllegalStateException(key + " was there before");
        }
        if (!store.complete(key, token, transactions.call(IdempotencyBenchmark::order), HOUR)) {
            throw new IllegalStateException(key + " was taken over");
        }
    }

    private static StoredResponse order(Transaction tx) throws SQLException {
        try (PreparedStatement insert =
                tx.connection().prepareStatement("INSERT INTO orders (note) VALUES ('three apples')")) {
            insert.executeUpdate();
        }
        return CREATED;
    }
}

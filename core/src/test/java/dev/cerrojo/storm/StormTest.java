package dev.cerrojo.storm;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.embedded.EmbeddedPostgres;
import dev.cerrojo.storm.Tally.Outcome;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * Sixteen clients against fifty organizations while the server is killed by SIGKILL and started again. It runs for some
 * 40 seconds, or as many as the system property {@code cerrojo.storm.seconds} says.
 */
class StormTest {
    private static final int CLIENTS = 16;
    private static final Duration BUDGET = Duration.ofSeconds(Integer.getInteger("cerrojo.storm.seconds", 40));
    private static final Duration CONTROL_LIMIT = Duration.ofMinutes(2);
    private static final long COMMITS_BETWEEN_KILLS = 1_000;
    private static final int FEWEST_KILLS = 3;
    private static final long POLL_NANOS = 1_000_000;

    private final AtomicBoolean over = new AtomicBoolean();
    private final Tally tally = new Tally();

    @Test
    void noCommittedStateIsViolatedAndNoOutcomeIsToldWrong() throws Exception {
        try (EmbeddedPostgres server = server()) {
            Backoffice.create(server.jdbcUrl());
            Backoffice.guard(server.jdbcUrl());
            Witness witness = new Witness(server.jdbcUrl(), over);
            int kills = storm(server, witness);

            try (Connection connection = DriverManager.getConnection(server.jdbcUrl())) {
                witness.look(connection);
            }
            System.out.printf("storm: %s; %d kills, %d states looked at%n", tally, kills, witness.states());
            assertThat(witness.violations()).isEmpty();
            assertThat(kills).isGreaterThanOrEqualTo(FEWEST_KILLS);
            compareWithLedger(ledger(server.jdbcUrl()));
        }
    }

    /** The same clients, careful but unguarded. */
    @Test
    void controlWithoutGuardsIsViolated() throws Exception {
        try (EmbeddedPostgres server = server()) {
            Backoffice.create(server.jdbcUrl());
            Witness witness = new Witness(server.jdbcUrl(), over);
            run(
                    server,
                    witness,
                    false,
                    () -> await(CONTROL_LIMIT, () -> !witness.violations().isEmpty()));
            assertThat(witness.violations()).isNotEmpty();
        }
    }

    private static EmbeddedPostgres server() {
        return EmbeddedPostgres.start(
                EmbeddedPostgres.Options.builder().durable(true).build());
    }

    private int storm(EmbeddedPostgres server, Witness witness) throws Exception {
        int[] kills = new int[1];
        run(server, witness, true, () -> {
            long end = System.nanoTime() + BUDGET.toNanos();
            while (await(Duration.ofNanos(end - System.nanoTime()), moreCommits())) {
                server.kill();
                server.restart();
                kills[0]++;
            }
        });
        return kills[0];
    }

    private BooleanSupplier moreCommits() {
        long wanted = tally.committed() + COMMITS_BETWEEN_KILLS;
        return () -> tally.committed() >= wanted;
    }

    /** Whether the state was reached within the time. */
    private static boolean await(Duration limit, BooleanSupplier state) {
        long end = System.nanoTime() + limit.toNanos();
        while (!state.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return true;
    }

    private void run(EmbeddedPostgres server, Witness witness, boolean guarded, Runnable meanwhile) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (HikariDataSource pool = pool(server.jdbcUrl())) {
            List<Future<?>> running = new ArrayList<>(List.of(threads.submit(witness)));
            for (int seed = 0; seed < CLIENTS; seed++) {
                running.add(threads.submit(new Client(pool, seed, tally, over, guarded)));
            }
            meanwhile.run();
            over.set(true);
            for (Future<?> each : running) {
                each.get(1, TimeUnit.MINUTES);
            }
        } finally {
            over.set(true);
            threads.shutdownNow();
        }
    }

    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CLIENTS);
        config.setConnectionTimeout(1_000);
        return new HikariDataSource(config);
    }

    private static List<UUID> ledger(String url) throws SQLException {
        List<UUID> operations = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT operation FROM ledger")) {
            while (rows.next()) {
                operations.add(rows.getObject(1, UUID.class));
            }
        }
        return operations;
    }

    /** Each entry was made in the transaction of its operation, so it tells what really happened. */
    private void compareWithLedger(List<UUID> ledger) {
        Set<UUID> done = new HashSet<>(ledger);
        assertThat(done).as("no operation is done twice").hasSize(ledger.size());
        assertThat(done).as("what was told as committed is").containsAll(tally.operations(Outcome.COMMITTED));
        for (Outcome not : List.of(Outcome.REFUSED, Outcome.LOST, Outcome.EXHAUSTED)) {
            assertThat(common(done, tally.operations(not)))
                    .as("%s, but committed", not)
                    .isEmpty();
        }
        System.out.printf(
                "storm: of %d unknown outcomes %d were committed%n",
                tally.operations(Outcome.UNKNOWN).size(),
                common(done, tally.operations(Outcome.UNKNOWN)).size());
    }

    private static Set<UUID> common(Set<UUID> one, Collection<UUID> other) {
        Set<UUID> both = new HashSet<>(other);
        both.retainAll(one);
        return both;
    }
}

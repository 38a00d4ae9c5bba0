package dev.cerrojo.explorer.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.embedded.EmbeddedPostgres;
import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.database.Durability;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What is measured, and of what; no number here depends on how fast the machine is. */
class PricingPostgresTest {
    private static final Measuring SHORT = new Measuring(4, 200, 2, Duration.ofMillis(400));

    private static final String ACCOUNT = """
            setup: |
              CREATE TABLE account (id int PRIMARY KEY, balance int NOT NULL);
              INSERT INTO account VALUES (1, 100);
            transactions:
              withdraw:
                params: [account, amount]
                scope: account
                steps:
                  - read: SELECT balance FROM account WHERE id = :account
                  - check: SELECT :balance >= :amount
                    else: insufficient
                  - write: UPDATE account SET balance = balance - :amount WHERE id = :account
            run: [ "withdraw(account=1, amount=80)", "withdraw(account=1, amount=70)" ]
            invariant: {name: no_overdraft, scope: account(id), sum_at_least: 0, of: account.balance(id)}
            """;

    private static RepairReport repair(
            Scenario scenario, Optional<Measuring> measuring, Progress progress, String... ids) throws SQLException {
        Repairer repairer = new Repairer(
                TestServer.shared(),
                Bounds.none(),
                Search.Mode.REDUCED,
                Repairer.Inside.SKIPPED,
                new Workers(1),
                progress);
        return measuring
                .map(repairer::measuring)
                .orElse(repairer)
                .repair(scenario, candidate -> Set.of(ids).contains(candidate.id()));
    }

    private static RepairReport repair(String yaml, String... ids) throws SQLException {
        return repair(ScenarioReader.read("a.yaml", yaml), Optional.of(SHORT), Progress.SILENT, ids);
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class OfTheExample {
        private Prices prices;
        private RepairReport report;

        @BeforeAll
        void measures() throws SQLException, IOException {
            String yaml = Files.readString(Path.of("..", "examples", "on-call.yaml"))
                    .replaceAll("  - - admin_remove.*\\n    - cleanup.*\\n", "");
            report = repair(
                    yaml, "touch", "advisory-lock", "serializable", "trigger-guard", "share-lock", "user-1", "user-3");
            prices = report.prices().orElseThrow();
        }

        private Price price(String id) {
            return prices.candidates().stream()
                    .filter(price -> price.name().equals(id))
                    .findFirst()
                    .orElseThrow();
        }

        @Test
        void onlyWhatHoldsIsMeasured() {
            assertThat(prices.candidates())
                    .extracting(Price::name)
                    .containsExactly("touch", "advisory-lock", "serializable", "trigger-guard", "user-1");
            assertThat(prices.notes()).isEmpty();
            assertThat(report.pricesNote()).isEmpty();
            assertThat(prices.server()).startsWith("your server (PostgreSQL ");
            assertThat(price("serializable").isolation()).isEqualTo("serializable");
            assertThat(price("touch").isolation()).isEqualTo("read committed");
        }

        @Test
        void roundTripsAreCounted() {
            assertThat(prices.unguarded().extraRoundTrips()).isZero();
            assertThat(price("touch").extraRoundTrips()).isEqualTo(1);
            assertThat(price("advisory-lock").extraRoundTrips()).isEqualTo(1);
            assertThat(price("serializable").extraRoundTrips()).isZero();
            assertThat(price("trigger-guard").extraRoundTrips()).isZero();
        }

        /** A lock is not logged; a guard row is. */
        @Test
        void logIsCounted() {
            long unguarded = prices.unguarded().walBytes();

            assertThat(unguarded).isBetween(40L, 400L);
            assertThat(price("advisory-lock").walBytes()).isEqualTo(unguarded);
            assertThat(price("touch").walBytes()).isBetween(unguarded + 40, unguarded + 400);
            assertThat(price("trigger-guard").walBytes()).isBetween(unguarded + 40, unguarded + 400);
        }

        @Test
        void everyContenderRanUnderBothLoads() {
            assertThat(prices.scopes()).hasValue(200);
            List<Price> all = new ArrayList<>(prices.candidates());
            all.add(prices.unguarded());
            assertThat(all).allSatisfy(price -> {
                assertThat(price.hot().measured().throughput().median()).isPositive();
                assertThat(price.hot().measured().p99().median()).isPositive();
                assertThat(price.hot().committed()).isPositive();
                assertThat(price.hot().failed()).isZero();
                assertThat(price.hot().calls()).isEqualTo(price.hot().measured().transactions());
                assertThat(price.spread().orElseThrow().calls()).isPositive();
            });
            assertThat(prices.unguarded().hot().measured().throughputRatio().median())
                    .isEqualTo(1);
        }

        /** Each call of this file is let through in a scope of its own: nothing was used up, and nobody met anybody. */
        @Test
        void spreadCallsMeetNobody() {
            assertThat(prices.candidates()).allSatisfy(price -> {
                Load load = price.spread().orElseThrow();
                assertThat(load.refused()).as(price.name()).isZero();
                assertThat(load.failed()).as(price.name()).isZero();
            });
        }

        /** The rows are put back for each burst: else nobody could leave any more, and all calls were refused. */
        @Test
        void inOneScopeSomeCallsAreRefusedAndSomeAreNot() {
            Load load = price("touch").hot();

            assertThat(load.refused()).isPositive();
            assertThat((double) load.committed() / load.calls()).isBetween(0.3, 0.9);
        }

        @Test
        void whoMustRunAgainInOneScopeDoes() {
            assertThat(price("serializable")
                            .hot()
                            .measured()
                            .retriesPerTransaction()
                            .median())
                    .isPositive();
            assertThat(price("touch").hot().measured().retriesPerTransaction().median())
                    .isZero();
        }

        @Test
        void theRecommendationTellsThem() {
            assertThat(report.recommendation().orElseThrow().reasons())
                    .anyMatch(reason -> reason.contains(" of the unguarded throughput"))
                    .anyMatch(reason -> reason.startsWith("With 4 clients in one scope"))
                    .anyMatch(reason -> reason.startsWith("A call makes "));
        }
    }

    @Test
    void withoutScopeRowsOnlyTheOneScopeIsMeasured() throws SQLException {
        Prices prices = repair(ACCOUNT, "touch").prices().orElseThrow();

        assertThat(prices.scopes()).isEmpty();
        assertThat(prices.notes())
                .containsExactly("many scopes: the file has no scope_rows, which make the rows of one more scope");
        assertThat(prices.candidates())
                .singleElement()
                .satisfies(price -> assertThat(price.spread()).isEmpty());
    }

    @Test
    void scopesAreMultipliedByTheirKind() throws SQLException {
        String named = ACCOUNT.replace("id int PRIMARY KEY", "id text PRIMARY KEY")
                        .replace("VALUES (1, 100)", "VALUES ('main', 100)")
                        .replace("account=1", "account='main'")
                + "scope_rows: INSERT INTO account VALUES (:scope, 100)\n";
        Prices prices = repair(named, "touch").prices().orElseThrow();

        assertThat(prices.scopes()).hasValue(200);
        assertThat(prices.unguarded().spread().orElseThrow().refused()).isZero();
    }

    @Test
    void nothingIsMeasuredUnlessAskedFor() throws SQLException {
        RepairReport report =
                repair(ScenarioReader.read("a.yaml", ACCOUNT), Optional.empty(), Progress.SILENT, "touch");

        assertThat(report.recommendation()).isPresent();
        assertThat(report.prices()).isEmpty();
        assertThat(report.pricesNote()).isEmpty();
    }

    @Test
    void nothingIsMeasuredWhereNothingHolds() throws SQLException {
        assertThat(repair(ACCOUNT, "share-lock").prices()).isEmpty();
    }

    /** A lock that two can hold, on a row that both then write: of two calls, one dies each time. */
    @Test
    void whatDeadlocksIsNotMeasured() throws SQLException {
        RepairReport report = repair(ACCOUNT + """
                repairs:
                  - name: share lock
                    prepend:
                      withdraw: [ {write: "SELECT 1 FROM account WHERE id = :account FOR SHARE"} ]
                """, "user-1");

        assertThat(report.candidates().get(0).cells().get(0).holds()).isTrue();
        assertThat(report.prices()).isEmpty();
        assertThat(report.pricesNote().orElseThrow()).startsWith("user-1: calls deadlock, ");
    }

    @Test
    void whatOutlivesATransactionIsNotMeasured() throws SQLException {
        String leaving = ACCOUNT.replace(
                "- read: SELECT balance",
                "- write: SELECT set_config('app.user', 'me', false)\n      - read: SELECT balance");
        RepairReport report = repair(leaving, "touch");

        assertThat(report.prices()).isEmpty();
        assertThat(report.pricesNote())
                .contains("its transactions leave something behind in their sessions, such as a session lock");
    }

    @Test
    void aRepairWithRunsOfItsOwnIsNotComparedWithOthers() throws SQLException {
        Prices prices = repair(ACCOUNT + """
                repairs:
                  - name: other runs
                    run: [ "withdraw(account=1, amount=10)" ]
                """, "touch", "user-1").prices().orElseThrow();

        assertThat(prices.candidates()).extracting(Price::name).containsExactly("touch");
        assertThat(prices.notes()).anyMatch(note -> note.startsWith("user-1: it has runs of its own"));
    }

    /** What ends the command ends the measuring: it is asked before each burst. */
    @Test
    void whoListensCanEndIt() {
        AtomicLong most = new AtomicLong();
        Progress ending = (schedules, violations, waiting) -> {
            // no candidate has so many schedules here
            if (most.accumulateAndGet(schedules, Math::max) > 500) {
                throw new IllegalStateException("ended");
            }
        };
        Measuring longer = new Measuring(2, 200, 5, Duration.ofMinutes(10));

        assertThatThrownBy(() -> repair(ScenarioReader.read("a.yaml", ACCOUNT), Optional.of(longer), ending, "touch"))
                .hasMessage("ended");
    }

    @Test
    void anEmbeddedServerIsDurableWhileItIsMeasured() throws SQLException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start();
                Server server = Server.connect(postgres.jdbcUrl(), postgres::jdbcUrl)) {
            assertThat(fsync(postgres)).isEqualTo("off");
            try (Durability durability = server.durable()) {
                assertThat(fsync(postgres)).isEqualTo("on");
                assertThat(durability.words())
                        .startsWith("the embedded server (PostgreSQL ")
                        .endsWith(")");
            }
        }
    }

    @Test
    void aServerOfTheUsersIsLeftAsItIs() throws SQLException {
        try (Connection connection = TestServer.connect();
                Durability durability = TestServer.shared().durable()) {
            assertThat(durability.words()).startsWith("your server (PostgreSQL ");
            try (Statement sql = connection.createStatement();
                    ResultSet row = sql.executeQuery(
                            "SELECT count(*) FROM pg_file_settings WHERE sourcefile LIKE '%postgresql.auto.conf'")) {
                row.next();
                assertThat(row.getInt(1)).isZero();
            }
        }
    }

    private static String fsync(EmbeddedPostgres postgres) throws SQLException {
        try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
                Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery("SHOW fsync")) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        Duration second = Duration.ofSeconds(1);

        assertThatThrownBy(() -> new Measuring(0, 1, 1, second)).hasMessage("clients must be 1 to 16, but was 0");
        assertThatThrownBy(() -> new Measuring(8, 7, 1, second)).hasMessageStartingWith("scopes must be 8 ");
        assertThatThrownBy(() -> new Measuring(8, 8, 0, second)).hasMessage("rounds must be 1 or more, but was 0");
        assertThatThrownBy(() -> new Measuring(8, 8, 1, Duration.ZERO)).hasMessageStartingWith("time must be longer");
    }
}

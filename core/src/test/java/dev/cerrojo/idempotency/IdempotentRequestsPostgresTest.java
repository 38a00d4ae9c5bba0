package dev.cerrojo.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cerrojo.schema.Schema;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.testsupport.process.Await;
import dev.cerrojo.tx.Isolation;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionOptions;
import dev.cerrojo.tx.Transactions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IdempotentRequestsPostgresTest {
    private static final RequestKey KEY = RequestKey.of("place-order", "customer/17", "k1");
    private static final RequestHash REQUEST = RequestHash.ofText("three apples");
    private static final StoredResponse CREATED = new StoredResponse(
            201,
            List.of(Map.entry("Location", "/orders/1"), Map.entry("Link", "a"), Map.entry("Link", "b")),
            new byte[] {0, 1, -1});

    private TestDatabase database;
    private Transactions transactions;
    private final IdempotentRequests requests = IdempotentRequests.with(IdempotencySettings.defaults());

    @BeforeEach
    void create() throws SQLException {
        database = TestDatabase.create();
        Schema.over(database.dataSource()).create();
        transactions = Transactions.over(database.dataSource());
        execute("CREATE TABLE orders (id int GENERATED ALWAYS AS IDENTITY, note text)");
    }

    @AfterEach
    void drop() {
        database.close();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long number(String sql) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private long orders() {
        return number("SELECT count(*) FROM orders");
    }

    private static StoredResponse order(Transaction tx) throws SQLException {
        try (Statement statement = tx.connection().createStatement()) {
            statement.execute("INSERT INTO orders (note) VALUES ('x')");
        }
        return CREATED;
    }

    private Reply place() {
        return requests.call(transactions, KEY, REQUEST, IdempotentRequestsPostgresTest::order);
    }

    @Test
    void aRepetitionGetsTheSameBytesAndDoesNothing() throws SQLException {
        assertThat(place()).isEqualTo(new Reply(CREATED, false));
        assertThat(place()).isEqualTo(new Reply(CREATED, true));
        assertThat(orders()).isOne();
    }

    @Test
    void anotherCallersKeyIsAnother() throws SQLException {
        place();
        Reply other = requests.call(
                transactions,
                RequestKey.of("place-order", "customer/18", "k1"),
                REQUEST,
                IdempotentRequestsPostgresTest::order);
        assertThat(other.replayed()).isFalse();
        assertThat(orders()).isEqualTo(2);
    }

    @Test
    void anotherRequestWithTheKeyIsRefused() throws SQLException {
        place();
        assertThatThrownBy(() -> requests.call(
                        transactions, KEY, RequestHash.ofText("four apples"), IdempotentRequestsPostgresTest::order))
                .isInstanceOf(RequestMismatchException.class)
                .hasMessageContaining("k1")
                .hasMessageContaining("key of its own");
        assertThat(orders()).isOne();
    }

    @Test
    void whatTheWorkThrowsRollsTheClaimBack() throws SQLException {
        assertThatThrownBy(() -> requests.call(transactions, KEY, REQUEST, tx -> {
                    order(tx);
                    throw new IllegalStateException("no stock");
                }))
                .hasMessage("no stock");
        assertThat(orders()).isZero();
        assertThat(place().replayed()).isFalse();
    }

    @Test
    void aServerErrorIsNoResponseToKeep() {
        assertThatThrownBy(() -> StoredResponse.json(503, "{}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("200 to 499, but was 503");
    }

    @ParameterizedTest
    @EnumSource
    void tenAtOnceTakeEffectOnce(Isolation isolation) {
        Transactions at = transactions.with(
                TransactionOptions.builder().isolation(isolation).build());
        List<CompletableFuture<Reply>> replies = IntStream.range(0, 10)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> requests.call(at, KEY, REQUEST, IdempotentRequestsPostgresTest::order)))
                .toList();
        List<Reply> all = replies.stream().map(CompletableFuture::join).toList();
        assertThat(all).extracting(Reply::response).containsOnly(CREATED);
        assertThat(all).extracting(Reply::replayed).containsOnlyOnce(false);
        assertThat(orders()).isOne();
    }

    @Test
    void aRepetitionWaitsNoLongerThanItMay() throws Exception {
        IdempotentRequests brief = IdempotentRequests.with(
                IdempotencySettings.builder().waitUpTo(Duration.ofMillis(50)).build());
        CountDownLatch tried = new CountDownLatch(1);
        CompletableFuture<Reply> first =
                CompletableFuture.supplyAsync(() -> requests.call(transactions, KEY, REQUEST, tx -> {
                    Await.until("the second has given up", () -> tried.getCount() == 0);
                    return order(tx);
                }));
        Await.until(
                "the first has claimed",
                () -> number("SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'"
                                + " AND datname = current_database()")
                        == 1);
        assertThatThrownBy(() -> brief.call(transactions, KEY, REQUEST, IdempotentRequestsPostgresTest::order))
                .isInstanceOfSatisfying(
                        InProgressException.class,
                        inProgress -> assertThat(inProgress.retryAfter()).isEqualTo(Duration.ofMillis(50)));
        tried.countDown();
        assertThat(first.get(30, TimeUnit.SECONDS).replayed()).isFalse();
        assertThat(place().replayed()).isTrue();
        assertThat(orders()).isOne();
    }

    @Test
    void theLockTimeoutOfTheTransactionIsAsBefore() throws SQLException {
        String after = transactions.call(tx -> {
            try (Statement statement = tx.connection().createStatement()) {
                statement.execute("SET LOCAL lock_timeout = '17s'");
                requests.join(tx, KEY, REQUEST, IdempotentRequestsPostgresTest::order);
                try (ResultSet row = statement.executeQuery("SHOW lock_timeout")) {
                    row.next();
                    return row.getString(1);
                }
            }
        });
        assertThat(after).isEqualTo("17s");
    }

    /** Its owner swallows what the work has thrown, and commits. */
    @Test
    void halfAnEffectInATransactionOfSomebodyElsesIsNotCommitted() throws SQLException {
        try (Connection open = database.connect()) {
            open.setAutoCommit(false);
            assertThatThrownBy(() -> requests.join(Transactions.join(open), KEY, REQUEST, tx -> {
                        order(tx);
                        throw new IllegalStateException("no stock");
                    }))
                    .hasMessage("no stock");
            Throwable said = catchThrowable(open::commit);
            assertThat(said == null || said instanceof SQLException).isTrue();
        }
        assertThat(orders()).isZero();
        assertThat(place().replayed()).isFalse();
    }

    @Test
    void afterItsRetentionTheKeyIsANewRequest() throws SQLException {
        place();
        execute("UPDATE cerrojo.api_request SET expires_at = now()");
        assertThat(place().replayed()).isFalse();
        assertThat(orders()).isEqualTo(2);
        assertThat(place().replayed()).isTrue();
    }

    @Test
    void whatIsOverIsPurgedAndNothingElse() throws SQLException {
        RequestStore store = RequestStore.inPostgres(database.dataSource());
        place();
        assertThat(store.purge(10)).isZero();
        execute("UPDATE cerrojo.api_request SET expires_at = now()");
        assertThat(store.purge(10)).isOne();
        assertThat(number("SELECT count(*) FROM cerrojo.api_request")).isZero();
    }

    @Test
    void withoutItsTablesItSaysHowToInstallThem() throws SQLException {
        execute("DROP SCHEMA cerrojo CASCADE");
        assertThatThrownBy(this::place).hasStackTraceContaining("cerrojo.api_request");
        assertThatThrownBy(() -> RequestStore.inPostgres(database.dataSource()).purge(1))
                .hasMessageContaining("schema");
    }
}

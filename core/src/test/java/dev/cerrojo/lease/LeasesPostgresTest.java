package dev.cerrojo.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.lease.LeaseLostException.Reason;
import dev.cerrojo.lease.TroubledStore.Trouble;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.schema.SchemaNotReadyException;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Isolation;
import dev.cerrojo.tx.NestedTransactionException;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionFailedException;
import dev.cerrojo.tx.TransactionOptions;
import dev.cerrojo.tx.Transactions;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeasesPostgresTest {
    private static final LeaseScope ARTICLE = LeaseScope.of("article/42");
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration BRIEF = Duration.ofMillis(600);
    private static final Logger LOG = Logger.getLogger(Leases.class.getName());
    private static final String EXPIRE = """
            UPDATE cerrojo.lease SET holds = ARRAY(
              SELECT ROW(h.field_group, h.owner, h.token, '-infinity')::cerrojo.lease_hold FROM unnest(holds) AS h)""";

    private static TestDatabase database;
    private static HikariDataSource pool;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private Session session;

    @BeforeAll
    static void create() throws SQLException {
        LOG.setLevel(Level.OFF);
        database = TestDatabase.create();
        pool = pool(config -> {});
        Schema.over(pool).create();
    }

    @AfterAll
    static void drop() {
        LOG.setLevel(null);
        pool.close();
        database.close();
    }

    @BeforeEach
    void connect() throws SQLException {
        session = opened(Session.of(database));
        session.run("CREATE TABLE IF NOT EXISTS writes (who text); TRUNCATE writes, cerrojo.lease, cerrojo.fence");
    }

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private static HikariDataSource pool(Consumer<HikariConfig> change) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setMaximumPoolSize(10);
        config.setMinimumIdle(0);
        change.accept(config);
        return new HikariDataSource(config);
    }

    private <T extends AutoCloseable> T opened(T one) {
        opened.add(one);
        return one;
    }

    private static LeaseSettings settings(Duration leaseDuration) {
        return LeaseSettings.builder()
                .leaseDuration(leaseDuration)
                .waitUpTo(Duration.ofSeconds(20))
                .build();
    }

    private Leases leases(Duration leaseDuration) {
        return opened(Leases.over(pool, settings(leaseDuration)));
    }

    private TroubledStore troubled() {
        return new TroubledStore(LeaseStore.inPostgres(pool));
    }

    private Leases over(LeaseStore store, Duration leaseDuration) {
        return opened(Leases.over(store, settings(leaseDuration)));
    }

    private static void write(Transaction tx, String who) throws SQLException {
        try (Statement statement = tx.connection().createStatement()) {
            statement.execute("INSERT INTO writes VALUES ('" + who + "')");
        }
    }

    private List<String> writes() throws SQLException {
        return session.rows("SELECT who FROM writes ORDER BY who");
    }

    private static Reason lossOf(Lease lease) {
        return catchThrowableOfType(LeaseLostException.class, lease::ensureHeld).reason();
    }

    // The fence

    @Test
    void aStaleHolderCannotCommit() throws Exception {
        Leases mine = leases(LONG);
        Leases yours = leases(LONG);
        Transactions transactions = Transactions.over(pool);
        Lease stale = mine.acquire(ARTICLE);
        List<LeaseLostException> told = new CopyOnWriteArrayList<>();
        stale.onLoss(told::add);
        stale.runFenced(transactions, tx -> write(tx, "before"));
        session.run(EXPIRE);
        Lease next = yours.acquire(ARTICLE);

        assertThat(stale.isHeld()).as("it cannot know").isTrue();
        LeaseLostException lost = catchThrowableOfType(
                LeaseLostException.class, () -> stale.runFenced(transactions, tx -> write(tx, "stale")));

        assertThat(lost.reason()).isEqualTo(Reason.FENCED);
        assertThat(lost)
                .hasMessage("the lease of [article/42] is lost: somebody else has acquired it since;"
                        + " what it protected may be somebody else's by now, so stop");
        assertThat(lossOf(stale)).isEqualTo(Reason.FENCED);
        Wait.until("the listener is told", () -> told.size() == 1);
        next.runFenced(transactions, tx -> write(tx, "next"));
        assertThat(writes()).containsExactly("before", "next");
        assertThat(next.token()).isGreaterThan(stale.token());
        stale.release();
        next.ensureHeld();
    }

    /** The control: the same without the fence. */
    @Test
    void withoutTheFenceAStaleHolderCommits() throws Exception {
        Lease stale = leases(LONG).acquire(ARTICLE);
        session.run(EXPIRE);
        Lease next = leases(LONG).acquire(ARTICLE);

        Transactions.over(pool).run(tx -> write(tx, "stale"));

        assertThat(stale.isHeld() && next.isHeld()).isTrue();
        assertThat(writes()).containsExactly("stale");
    }

    @Test
    void nobodyAcquiresWhileAFencedTransactionIsOpen() throws Exception {
        Leases mine = leases(LONG);
        Leases yours = leases(LONG);
        Lease late = mine.acquire(ARTICLE);
        CompletableFuture<Lease> next = new CompletableFuture<>();

        late.runFenced(Transactions.over(pool), tx -> {
            session.run(EXPIRE);
            assertThat(yours.tryAcquire(ARTICLE)).isEmpty();
            assertThat(yours.tryAcquire(LeaseScope.of("article/42", "seo")))
                    .as("a part of it")
                    .isEmpty();
            assertThat(yours.tryAcquire(LeaseScope.of("article/43")))
                    .as("another")
                    .isPresent();
            next.completeAsync(() -> yours.acquire(ARTICLE));
            write(tx, "late");
        });

        assertThat(next.get(20, TimeUnit.SECONDS).isHeld()).isTrue();
        assertThat(writes()).containsExactly("late");
    }

    @Test
    void groupsAreFencedByThemselvesAndByTheWhole() throws Exception {
        Leases leases = leases(LONG);
        Transactions transactions = Transactions.over(pool);
        Lease seo = leases.acquire(LeaseScope.of("article/42", "seo"));
        Lease body = leases.acquire(LeaseScope.of("article/42", "body"));
        seo.runFenced(transactions, outer -> {
            write(outer, "seo");
            body.runFenced(transactions, tx -> write(tx, "body"));
        });
        session.run(EXPIRE);
        Lease otherSeo = leases.acquire(LeaseScope.of("article/42", "seo"));
        assertThat(catchThrowable(() -> seo.runFenced(transactions, tx -> write(tx, "stale"))))
                .isInstanceOf(LeaseLostException.class);
        body.runFenced(transactions, tx -> write(tx, "body, which nobody else has acquired since"));
        session.run(EXPIRE);

        Lease whole = leases.acquire(ARTICLE);
        for (Lease stale : List.of(body, otherSeo)) {
            assertThat(catchThrowable(() -> stale.runFenced(transactions, tx -> write(tx, "stale"))))
                    .isInstanceOf(LeaseLostException.class);
        }
        session.run(EXPIRE);
        leases.acquire(LeaseScope.of("article/42", "price"));
        assertThat(catchThrowable(() -> whole.runFenced(transactions, tx -> write(tx, "stale"))))
                .isInstanceOf(LeaseLostException.class);
        assertThat(writes()).containsExactly("body", "body, which nobody else has acquired since", "seo");
    }

    @Test
    void aFencedTransactionThatStandsStillIsEnded() throws Exception {
        Leases leases = leases(BRIEF);
        Lease lease = leases.acquire(ARTICLE);
        session.run("CREATE TABLE IF NOT EXISTS settings (value text); TRUNCATE settings");

        Throwable thrown = catchThrowable(() -> lease.runFenced(Transactions.over(pool), tx -> {
            setting(tx);
            write(tx, "still");
            Wait.until(
                    "PostgreSQL has ended the session",
                    () -> session.rows(
                                    "SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()")
                            .isEmpty());
            write(tx, "still");
        }));

        assertThat(thrown).isInstanceOf(TransactionFailedException.class);
        assertThat(writes()).isEmpty();
        lease.ensureHeld();
    }

    private static void setting(Transaction tx) throws SQLException {
        try (Statement statement = tx.connection().createStatement();
                var row = statement.executeQuery("SHOW idle_in_transaction_session_timeout")) {
            row.next();
            assertThat(row.getString(1)).isEqualTo(BRIEF.toMillis() + "ms");
        }
    }

    @Test
    void aShorterTimeoutOfTheUsersIsKept() throws Exception {
        try (HikariDataSource own =
                pool(config -> config.setConnectionInitSql("SET idle_in_transaction_session_timeout = '500ms'"))) {
            leases(BRIEF).acquire(ARTICLE).runFenced(Transactions.over(own), tx -> {
                try (Statement statement = tx.connection().createStatement();
                        var row = statement.executeQuery("SHOW idle_in_transaction_session_timeout")) {
                    row.next();
                    assertThat(row.getString(1)).isEqualTo("500ms");
                }
            });
        }
    }

    @Test
    void aTransactionThatSomebodyElseBeganIsFencedToo() throws Exception {
        Leases leases = leases(LONG);
        Lease lease = leases.acquire(ARTICLE);
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            Transaction joined = Transactions.join(connection);
            lease.fence(joined);
            write(joined, "joined");
            connection.commit();
            session.run(EXPIRE);
            leases(LONG).acquire(ARTICLE);

            assertThatThrownBy(() -> lease.fence(joined)).isInstanceOf(LeaseLostException.class);
            connection.rollback();
        }
        assertThat(writes()).containsExactly("joined");
    }

    // Loss

    @Test
    void atItsDeadlineALeaseIsLostWithoutTheStore() throws Exception {
        TroubledStore store = troubled();
        Leases leases = over(store, BRIEF);
        Lease lease = leases.acquire(ARTICLE);
        store.onRenew = Trouble.HANGS;
        List<LeaseLostException> told = new CopyOnWriteArrayList<>();
        lease.onLoss(told::add);

        Throwable thrown = catchThrowable(() -> lease.run(it -> new CountDownLatch(1).await()));

        assertThat(thrown).isInstanceOf(LeaseLostException.class).hasSuppressedException(thrown.getSuppressed()[0]);
        assertThat(thrown.getSuppressed()[0]).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(lossOf(lease)).isEqualTo(Reason.EXPIRED);
        assertThat(lease.remaining()).isZero();
        Wait.until("told", () -> told.size() == 1);
        CompletableFuture<LeaseLostException> late = new CompletableFuture<>();
        lease.onLoss(late::complete);
        assertThat(late.get(20, TimeUnit.SECONDS).scopes()).containsExactly(ARTICLE);
    }

    @Test
    void aLossRollsTheTransactionBack() throws Exception {
        TroubledStore store = troubled();
        Leases leases = opened(Leases.over(store, settings(BRIEF), Fences.over(pool)));
        Lease lease = leases.acquire(ARTICLE);
        store.onRenew = Trouble.UNREACHABLE;
        CountDownLatch lost = new CountDownLatch(1);
        lease.onLoss(loss -> lost.countDown());

        Throwable thrown = catchThrowable(() -> lease.runFenced(Transactions.over(pool), tx -> {
            for (boolean told = false; !told; told = lost.await(50, TimeUnit.MILLISECONDS)) {
                write(tx, "in vain");
            }
        }));

        assertThat(thrown).isInstanceOf(LeaseLostException.class);
        assertThat(writes()).isEmpty();
    }

    @Test
    void whatIsTakenAwayAtTheStoreIsLostAtTheNextBeat() throws Exception {
        Lease lease = leases(BRIEF).acquire(ARTICLE);
        session.run(EXPIRE);

        Wait.until("lost", () -> !lease.isHeld());

        assertThat(lossOf(lease)).isEqualTo(Reason.GONE);
    }

    @Test
    void aLeaseOutlivesAStoreThatIsAwayForAWhile() throws Exception {
        TroubledStore store = troubled();
        Lease lease = over(store, Duration.ofSeconds(2)).acquire(ARTICLE);
        for (int round = 0; round < 2; round++) {
            store.onRenew = Trouble.UNREACHABLE;
            int before = store.renewals();
            Wait.until("two renewals have failed", () -> store.renewals() >= before + 2);
            store.onRenew = Trouble.NONE;
            Wait.until("renewed", () -> lease.remaining().compareTo(Duration.ofMillis(1300)) > 0);
        }

        lease.ensureHeld();
    }

    @Test
    void aRenewalThatHangsIsMadeAgainBesideIt() throws Exception {
        TroubledStore store = troubled();
        Lease lease = over(store, Duration.ofSeconds(2)).acquire(ARTICLE);
        store.onRenew = Trouble.HANGS;
        Wait.until("one hangs", () -> store.renewals() == 1);
        store.onRenew = Trouble.NONE;

        Wait.until("renewed", () -> lease.remaining().compareTo(Duration.ofMillis(1300)) > 0);
    }

    // Work

    @Test
    void whatWorkReturnsAndThrowsComesOut() throws Exception {
        Lease lease = leases(LONG).acquire(ARTICLE);

        assertThat(lease.<Long, RuntimeException>call(Lease::token)).isEqualTo(lease.token());
        assertThatThrownBy(() -> lease.run(it -> {
                    throw new IOException("disk");
                }))
                .isInstanceOf(IOException.class);
        lease.run(Lease::release);
        assertThat(lossOf(lease)).isEqualTo(Reason.RELEASED);
        assertThatThrownBy(() -> lease.run(it -> {})).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aReleasedLeaseIsNotTold() throws Exception {
        Leases leases = leases(LONG);
        Lease lease = leases.acquire(ARTICLE);
        List<LeaseLostException> told = new CopyOnWriteArrayList<>();
        lease.onLoss(told::add);
        lease.release();
        lease.release();
        lease.close();
        lease.onLoss(told::add);

        leases.acquire(ARTICLE).release();
        assertThat(told).isEmpty();
    }

    // Several scopes

    @Test
    void allAreTakenOrNone() {
        Leases leases = leases(LONG);
        LeaseScope first = LeaseScope.of("a");
        LeaseScope second = LeaseScope.of("b", "seo");
        Lease held = leases.acquire(second);

        LeaseNotAcquiredException refused = catchThrowableOfType(
                LeaseNotAcquiredException.class, () -> leases.acquire(List.of(second, first), Duration.ofMillis(100)));

        assertThat(refused.entity()).isEqualTo("b");
        assertThat(refused.waited()).isGreaterThanOrEqualTo(Duration.ofMillis(100));
        assertThat(leases.tryAcquire(first)).isPresent();
        held.release();
        Lease several =
                leases.acquire(LeaseScope.of("c"), second, LeaseScope.of("c", "seo"), LeaseScope.of("b", "body"));
        assertThat(several.scopes()).hasToString("[b [body], b [seo], c, c [seo]]");
        assertThat(several.token("c")).isGreaterThan(several.token("b"));
        assertThatThrownBy(several::token).hasMessageContaining("a lease of several entities has a token for each");
        assertThatThrownBy(() -> several.token("d")).hasMessageContaining("the lease has nothing of entity \"d\"");
        assertThat(leases.tryAcquire(LeaseScope.of("c", "body")))
                .as("the whole takes in its groups")
                .isEmpty();
    }

    @Test
    void twoWhoTakeTheSameInOppositeOrdersBothGetThem() throws Exception {
        Leases leases = leases(LONG);
        List<CompletableFuture<Integer>> both = new ArrayList<>();
        for (LeaseScope[] scopes :
                new LeaseScope[][] {{LeaseScope.of("x"), LeaseScope.of("y")}, {LeaseScope.of("y"), LeaseScope.of("x")}
                }) {
            both.add(CompletableFuture.supplyAsync(() -> {
                int had = 0;
                for (int i = 0; i < 20; i++) {
                    try (Lease lease = leases.acquire(scopes)) {
                        had += lease.isHeld() ? 1 : 0;
                    }
                }
                return had;
            }));
        }
        for (CompletableFuture<Integer> one : both) {
            assertThat(one.get(30, TimeUnit.SECONDS)).isEqualTo(20);
        }
    }

    // Acquiring

    @Test
    void anAnswerThatIsLostIsAskedForAgain() {
        TroubledStore store = troubled();
        Leases leases = over(store, LONG);
        store.onAcquire = Trouble.ANSWER_IS_LOST;

        assertThatThrownBy(() -> leases.tryAcquire(ARTICLE)).isInstanceOf(LeaseStoreException.class);
        CompletableFuture<Lease> waiting = CompletableFuture.supplyAsync(() -> leases.acquire(ARTICLE));
        store.onAcquire = Trouble.NONE;

        assertThat(waiting.orTimeout(20, TimeUnit.SECONDS).join().isHeld()).isTrue();
    }

    @Test
    void aReleaseThatFailsIsMadeAgain() {
        TroubledStore store = troubled();
        Lease lease = over(store, LONG).acquire(ARTICLE);
        store.onRelease = Trouble.UNREACHABLE;
        lease.release();
        assertThat(leases(LONG).tryAcquire(ARTICLE)).isEmpty();

        store.onRelease = Trouble.NONE;

        assertThat(leases(LONG).acquire(ARTICLE).isHeld()).isTrue();
    }

    @Test
    void whoIsInterruptedHoldsNothing() throws Exception {
        Leases leases = leases(LONG);
        leases.acquire(ARTICLE);
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread waiting =
                new Thread(() -> thrown.complete(catchThrowable(() -> leases.acquire(LeaseScope.of("a"), ARTICLE))));
        waiting.start();
        Wait.until("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);

        waiting.interrupt();

        assertThat(thrown.get(20, TimeUnit.SECONDS))
                .isInstanceOf(LeaseNotAcquiredException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(leases(LONG).tryAcquire(LeaseScope.of("a"))).isPresent();
    }

    @Test
    void closingReleasesWhatIsHeld() {
        Leases leases = Leases.over(pool, settings(LONG));
        Lease lease = leases.acquire(ARTICLE);

        leases.close();

        assertThat(lossOf(lease)).isEqualTo(Reason.RELEASED);
        assertThat(leases(LONG).tryAcquire(ARTICLE)).isPresent();
        assertThatThrownBy(() -> leases.acquire(ARTICLE)).hasMessageContaining("these leases are closed");
    }

    @Test
    void whoWaitsLearnsThatTheyAreClosed() throws Exception {
        leases(LONG).acquire(ARTICLE);
        Leases closed = Leases.over(pool, settings(LONG));
        CompletableFuture<Lease> waiting = CompletableFuture.supplyAsync(() -> closed.acquire(ARTICLE));
        Wait.until(
                "it waits",
                () -> !session.rows("SELECT 1 FROM cerrojo.lease WHERE awaited_until > clock_timestamp()")
                        .isEmpty());

        closed.close();

        assertThatThrownBy(() -> waiting.get(20, TimeUnit.SECONDS)).hasMessageContaining("these leases are closed");
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object unlessClosed(Connection open, Method call, Object[] given) throws Throwable {
        try {
            return call.getName().equals("close") ? null : call.invoke(open, given);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** As a framework hands it out, which keeps it open. */
    @Test
    void anotherTransactionsConnectionIsNotUsed() throws Exception {
        try (Connection open = database.connect();
                Statement statement = open.createStatement()) {
            open.setAutoCommit(false);
            statement.execute("SELECT 1");
            DataSource ofATransaction = proxy(
                    DataSource.class,
                    (self, method, arguments) ->
                            proxy(Connection.class, (it, call, given) -> unlessClosed(open, call, given)));
            try (Leases leases = Leases.over(ofATransaction, settings(LONG))) {
                assertThatThrownBy(() -> leases.tryAcquire(ARTICLE)).isInstanceOf(NestedTransactionException.class);
            }
        }
    }

    @Test
    void poolsOfAnyKindWillDo() {
        for (String level : List.of("TRANSACTION_REPEATABLE_READ", "TRANSACTION_SERIALIZABLE")) {
            try (HikariDataSource other = pool(config -> {
                        config.setTransactionIsolation(level);
                        config.setAutoCommit(false);
                    });
                    Leases leases = Leases.over(other, settings(LONG));
                    Lease lease = leases.acquire(ARTICLE)) {
                lease.runFenced(Transactions.over(other), tx -> write(tx, level));
            }
        }
    }

    @Test
    void missingTablesAreNamedWithTheCure() throws SQLException {
        try (TestDatabase empty = TestDatabase.create();
                Leases leases = Leases.over(empty.dataSource(), settings(LONG))) {
            assertThatThrownBy(() -> leases.acquire(ARTICLE))
                    .isInstanceOf(SchemaNotReadyException.class)
                    .hasMessageContaining("run `./cerrojo schema install");
        }
    }

    // Storage

    @Test
    void whatIsOverIsPurgedAndTokensStillGrow() throws SQLException {
        Leases leases = leases(LONG);
        Lease held = leases.acquire(LeaseScope.of("held", "seo"));
        Lease last = leases.acquire(ARTICLE);
        last.release();
        session.run("UPDATE cerrojo.lease SET changed_at = changed_at - interval '2 hours';"
                + " UPDATE cerrojo.fence SET kept_until = kept_until - interval '3 hours'");
        LeaseStore store = opened(LeaseStore.inPostgres(pool));

        assertThat(store.purge()).isEqualTo(2);

        assertThat(store.purge()).isZero();
        assertThat(session.rows("SELECT entity FROM cerrojo.lease")).containsExactly("held");
        assertThat(session.rows("SELECT entity || field_group FROM cerrojo.fence ORDER BY 1"))
                .containsExactly("held", "heldseo");
        held.runFenced(Transactions.over(pool), tx -> write(tx, "held"));
        assertThat(leases.acquire(ARTICLE).token()).isGreaterThan(last.token());
        assertThat(Optional.of(last).map(Lease::isHeld)).contains(false);
    }

    /** Where commits are not durable, that of a token is. */
    @Test
    void tokensAreDurable() throws Exception {
        try (HikariDataSource lazy = pool(config -> config.setConnectionInitSql("SET synchronous_commit = off"));
                Connection connection = lazy.getConnection();
                Statement statement = connection.createStatement()) {
            String acquire = new LeaseTables("cerrojo")
                    .sql("SELECT {durable} AS durable, current_setting('synchronous_commit')");
            try (var row = statement.executeQuery(acquire)) {
                row.next();
                assertThat(row.getString(1)).isEqualTo("on");
            }
            try (var row = statement.executeQuery("SHOW synchronous_commit")) {
                row.next();
                assertThat(row.getString(1)).isEqualTo("off");
            }
        }
    }

    @Test
    void optionsOfTransactionsAreTheUsers() throws Exception {
        Lease lease = leases(LONG).acquire(ARTICLE);
        TransactionOptions options =
                TransactionOptions.builder().isolation(Isolation.SERIALIZABLE).build();

        lease.runFenced(
                Transactions.over(pool, options), tx -> write(tx, tx.isolation().sql()));

        assertThat(writes()).containsExactly("serializable");
    }
}

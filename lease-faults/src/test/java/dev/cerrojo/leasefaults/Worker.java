package dev.cerrojo.leasefaults;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.CerrojoException;
import dev.cerrojo.lease.Fences;
import dev.cerrojo.lease.Lease;
import dev.cerrojo.lease.LeaseScope;
import dev.cerrojo.lease.LeaseSettings;
import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.lease.Leases;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that holds a lease for as long as it can, and meanwhile counts one up in the database, reading long before it writes.
 * Arguments: the store and its address (of PostgreSQL: the worker's own way to the database, or nothing), the URL of the database,
 * whether writes are fenced, how long leases last. It says what happens, each on a line: what, when by the machine's clock that only
 * goes forward, and a detail.
 */
final class Worker {
    static final Duration WAIT = Duration.ofMinutes(5);
    static final String TABLES = """
            CREATE TABLE counter (id int PRIMARY KEY, value bigint NOT NULL, version bigint NOT NULL);
            INSERT INTO counter VALUES (1, 0, 0);
            CREATE TABLE history (version bigint PRIMARY KEY, token bigint NOT NULL, worker bigint NOT NULL)""";

    private static final long BETWEEN_READ_AND_WRITE = TimeUnit.MILLISECONDS.toNanos(25);

    private final Leases leases;
    private final Transactions transactions;
    private final boolean fenced;

    private Worker(Leases leases, Transactions transactions, boolean fenced) {
        this.leases = leases;
        this.transactions = transactions;
        this.fenced = fenced;
    }

    public static void main(String[] arguments) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(arguments[1].startsWith("jdbc:") ? arguments[1] : arguments[2]);
        config.setMaximumPoolSize(4);
        config.setConnectionTimeout(2_000);
        HikariDataSource dataSource = new HikariDataSource(config);
        LeaseStore store = StoreKind.valueOf(arguments[0]).open(arguments[1], dataSource);
        LeaseSettings settings = LeaseSettings.builder()
                .leaseDuration(Duration.parse(arguments[4]))
                .waitUpTo(WAIT)
                .build();
        boolean fenced = Boolean.parseBoolean(arguments[3]);
        boolean inPostgres = arguments[0].equals("POSTGRES");
        Leases leases = fenced && !inPostgres
                ? Leases.over(store, settings, Fences.over(dataSource))
                : Leases.over(store, settings);
        new Worker(leases, Transactions.over(dataSource), fenced).workForEver();
    }

    private static void say(Event.Kind kind, Object detail) {
        System.out.println(new Event(kind, System.nanoTime(), String.valueOf(detail)));
    }

    private void workForEver() {
        say(Event.Kind.READY, "");
        while (true) {
            try (Lease lease = leases.acquire(List.of(LeaseScope.of("counter")), WAIT)) {
                say(Event.Kind.ACQUIRED, lease.token());
                lease.onLoss(loss -> say(Event.Kind.LOST, lease.token() + " " + loss.reason()));
                while (lease.isHeld()) {
                    work(lease);
                }
            } catch (CerrojoException | SQLException failure) {
                say(Event.Kind.FAILED, failure.getClass().getSimpleName());
            }
        }
    }

    private void work(Lease lease) throws SQLException {
        if (fenced) {
            lease.runFenced(transactions, transaction -> countUp(transaction, lease));
        } else {
            transactions.<SQLException>run(transaction -> countUp(transaction, lease));
        }
    }

    private static void countUp(Transaction transaction, Lease lease) throws SQLException {
        Connection connection = transaction.connection();
        long value = read(connection, "SELECT value FROM counter WHERE id = 1");
        LockSupport.parkNanos(BETWEEN_READ_AND_WRITE);
        long version = read(
                connection,
                "UPDATE counter SET value = %d, version = version + 1 WHERE id = 1 RETURNING version"
                        .formatted(value + 1));
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO history VALUES (?, ?, ?)")) {
            statement.setLong(1, version);
            statement.setLong(2, lease.token());
            statement.setLong(3, ProcessHandle.current().pid());
            statement.executeUpdate();
        }
    }

    private static long read(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }
}

package dev.cerrojo.leasefaults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.leasefaults.Event.Kind;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.schema.SchemaMode;
import dev.cerrojo.testsupport.process.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.postgresql.ds.PGSimpleDataSource;

/** Two workers who want the same lease, and count in one database. Faults befall them, one after another. */
final class Workplace implements AutoCloseable {
    private static final int WORKERS = 2;
    private static final int PROGRESS = 3;
    private static final String STALE = """
            SELECT count(*) FROM history AS h
            WHERE h.token < (SELECT max(before.token) FROM history AS before WHERE before.version < h.version)""";

    private final String title;
    private final String jdbcUrl;
    private final IntFunction<WorkerProcess> starting;
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final List<WorkerProcess> dead = new ArrayList<>();
    private final List<Tally> tallies = new ArrayList<>();

    private Workplace(String title, String jdbcUrl, IntFunction<WorkerProcess> starting) {
        this.title = title;
        this.jdbcUrl = jdbcUrl;
        this.starting = starting;
    }

    /**
     * Makes the tables, and starts the workers.
     *
     * @param jdbcUrl of an empty database
     * @param address of the store, for each worker
     * @param environment of the workers
     */
    static Workplace open(
            String title,
            StoreKind kind,
            IntFunction<String> address,
            String jdbcUrl,
            boolean fenced,
            Map<String, String> environment) {
        Workplace place = new Workplace(
                title,
                jdbcUrl,
                index -> WorkerProcess.start(
                        index, environment, kind.name(), address.apply(index), jdbcUrl, String.valueOf(fenced)));
        place.createTables();
        IntStream.range(0, WORKERS).mapToObj(place.starting).forEach(place.workers::add);
        place.workers.forEach(WorkerProcess::awaitReady);
        return place;
    }

    private void createTables() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(jdbcUrl);
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            Schema.over(source).ready(SchemaMode.CREATE);
            statement.execute(Worker.TABLES);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** What befalls the holder, or the store, must not take the lease from it. */
    Tally keeps(String fault, Consumer<WorkerProcess> befalls) {
        Tally tally = befall(fault, befalls, (holder, start) -> {});
        assertThat(tally.losses()).as("losses: %s", tally).isZero();
        return tally;
    }

    /** What befalls the holder takes the lease from it, and it says so if it lives. */
    Tally loses(String fault, Consumer<WorkerProcess> befalls) {
        return befall(fault, befalls, (holder, start) -> {
            if (holder.process().alive()) {
                holder.awaitLoss(start);
            }
        });
    }

    /** The holder may lose the lease or not. */
    Tally survives(String fault, Consumer<WorkerProcess> befalls) {
        return befall(fault, befalls, (holder, start) -> {});
    }

    private interface Aftermath {
        void await(WorkerProcess holder, long start);
    }

    private Tally befall(String fault, Consumer<WorkerProcess> befalls, Aftermath aftermath) {
        WorkerProcess holder = awaitHolder();
        awaitCommits(PROGRESS);
        Counts before = counts();
        long start = System.nanoTime();
        befalls.accept(holder);
        aftermath.await(holder, start);
        replaceDead();
        awaitHolder();
        awaitCommits(PROGRESS);
        Tally tally = tally(fault, start, before, counts());
        tallies.add(tally);
        return tally;
    }

    /** {@return who holds the lease, once somebody does} */
    WorkerProcess awaitHolder() {
        Await.until("somebody holds the lease: " + workers, () -> holder().isPresent());
        return holder().orElseThrow();
    }

    private Optional<WorkerProcess> holder() {
        List<WorkerProcess> holders =
                workers.stream().filter(WorkerProcess::holds).toList();
        return holders.stream().reduce((one, other) -> lastAcquired(one) > lastAcquired(other) ? one : other);
    }

    private static long lastAcquired(WorkerProcess worker) {
        return worker.events(Kind.ACQUIRED).stream()
                .mapToLong(Event::nanos)
                .max()
                .orElseThrow();
    }

    /** Waits until another worker than the holder has the lease, and has written. */
    void awaitSuccessor(WorkerProcess former) {
        Await.until(
                "another has the lease",
                () -> holder().filter(worker -> worker != former).isPresent());
        awaitCommits(1);
    }

    void awaitCommits(long more) {
        long now = counts().commits();
        Await.until("more commits than " + now, () -> counts().commits() >= now + more);
    }

    private void replaceDead() {
        for (int index = 0; index < workers.size(); index++) {
            if (!workers.get(index).process().alive()) {
                dead.add(workers.set(index, starting.apply(index)));
                workers.get(index).awaitReady();
            }
        }
    }

    private record Counts(long commits, long stale, long lost) {}

    /** A database that is being killed is asked again. */
    Counts counts() {
        while (true) {
            try (Connection connection = DriverManager.getConnection(jdbcUrl)) {
                return new Counts(
                        read(connection, "SELECT count(*) FROM history"),
                        read(connection, STALE),
                        read(connection, "SELECT version - value FROM counter"));
            } catch (SQLException down) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
    }

    private static long read(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }

    private Tally tally(String fault, long start, Counts before, Counts after) {
        return new Tally(
                fault,
                count(Kind.ACQUIRED, start),
                count(Kind.LOST, start),
                everybody().flatMap(worker -> leads(worker, start)).min(Duration::compareTo),
                after.commits() - before.commits(),
                after.stale() - before.stale(),
                after.lost() - before.lost());
    }

    private Stream<WorkerProcess> everybody() {
        return Stream.concat(workers.stream(), dead.stream());
    }

    private long count(Kind kind, long since) {
        return everybody()
                .flatMap(worker -> worker.events(kind).stream())
                .filter(event -> event.nanos() > since)
                .count();
    }

    /** For each loss, how long after it another worker was the next to acquire the lease. */
    private Stream<Duration> leads(WorkerProcess worker, long since) {
        List<Event> events = worker.events();
        return IntStream.range(1, events.size())
                .filter(at -> events.get(at).is(Kind.LOST) && events.get(at).nanos() > since)
                .boxed()
                .flatMap(at -> successor(worker, acquisition(events, at)).stream()
                        .map(next -> Duration.ofNanos(next - events.get(at).nanos())));
    }

    private static long acquisition(List<Event> events, int loss) {
        return IntStream.range(0, loss)
                .filter(at -> events.get(at).is(Kind.ACQUIRED))
                .mapToLong(at -> events.get(at).nanos())
                .max()
                .orElseThrow();
    }

    private Optional<Long> successor(WorkerProcess former, long after) {
        return everybody()
                .filter(worker -> worker != former)
                .flatMap(worker -> worker.events(Kind.ACQUIRED).stream())
                .map(Event::nanos)
                .filter(nanos -> nanos > after)
                .min(Long::compare);
    }

    /** Nothing was written by who had lost the lease, and nothing overwritten. */
    void assertNothingStale() {
        assertThat(counts()).as("commits, stale ones, overwritten ones").satisfies(counts -> {
            assertThat(counts.stale()).isZero();
            assertThat(counts.lost()).isZero();
            assertThat(counts.commits()).isPositive();
        });
    }

    /** Ends the workers, and writes the table to {@code target/lease-faults}. */
    @Override
    public void close() {
        workers.forEach(worker -> worker.process().close());
        String table = Stream.concat(Stream.of(title, Tally.HEADER), tallies.stream())
                .map(String::valueOf)
                .collect(Collectors.joining("\n"));
        try {
            Path folder = Files.createDirectories(Path.of("target", "lease-faults"));
            Files.writeString(folder.resolve(title.replaceAll("[^A-Za-z0-9]+", "-") + ".md"), table + "\n");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}

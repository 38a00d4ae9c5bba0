package dev.cerrojo.leasefaults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.leasefaults.Event.Kind;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.schema.SchemaMode;
import dev.cerrojo.testsupport.process.Await;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.postgresql.ds.PGSimpleDataSource;

/** Two workers who want the same lease, and count in one database. Faults befall them, one after another. */
final class Workplace implements AutoCloseable {
    private static final int WORKERS = 2;
    private static final int PROGRESS = 3;
    private static final int RECORDED_ROUNDS = 3;
    private static final String STALE = """
            SELECT count(*) FROM history AS h
            WHERE h.token < (SELECT max(before.token) FROM history AS before WHERE before.version < h.version)""";

    /** What starting a process, its work and its output may take on a machine that has more to do, beyond what is promised. */
    private static final Duration ALLOWANCE = Duration.ofSeconds(1);

    private final Site site;
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final List<WorkerProcess> dead = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();

    private Workplace(Site site) {
        this.site = site;
    }

    /** Makes the tables, and starts the workers. */
    static Workplace open(Site site) {
        Workplace place = new Workplace(site);
        place.createTables();
        IntStream.range(0, WORKERS).mapToObj(place::start).forEach(place.workers::add);
        place.workers.forEach(WorkerProcess::awaitReady);
        return place;
    }

    private WorkerProcess start(int index) {
        return WorkerProcess.start(
                index,
                site.environment(),
                site.kind().name(),
                site.address().apply(index),
                site.jdbcUrl(),
                String.valueOf(site.fenced()),
                String.valueOf(site.lease()));
    }

    private void createTables() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(site.jdbcUrl());
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            Schema.over(source).ready(SchemaMode.CREATE);
            statement.execute(Worker.TABLES);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /**
     * Lets a fault befall the holder, or its store: three times when results are recorded, else once.
     *
     * @param allowed how it may end; each time must end so
     * @return what came of it
     */
    Row befall(Fault fault, Set<Outcome> allowed, Consumer<WorkerProcess> befalls) {
        int times = Results.all() ? RECORDED_ROUNDS : 1;
        return befallUntil(fault, allowed, befalls, rounds -> rounds.size() >= times);
    }

    /** The same, again and again until there is enough. */
    Row befallUntil(Fault fault, Set<Outcome> allowed, Consumer<WorkerProcess> befalls, Predicate<List<Round>> enough) {
        List<Round> rounds = new ArrayList<>();
        while (!enough.test(rounds)) {
            rounds.add(befallOnce(fault, allowed, befalls));
        }
        Row row = Row.of(site.store(), fault, allowed, rounds);
        rows.add(row);
        return row;
    }

    private Round befallOnce(Fault fault, Set<Outcome> allowed, Consumer<WorkerProcess> befalls) {
        WorkerProcess holder = awaitHolder();
        awaitCommits(PROGRESS);
        Counts before = counts();
        long start = System.nanoTime();
        befalls.accept(holder);
        awaitTold(holder, start, allowed.contains(Outcome.KEPT));
        awaitHolder();
        awaitCommits(PROGRESS);
        Round round = round(holder, start, before, counts());
        replaceDead();
        assertThat(round.outcome())
                .as("%s on %s: %s", fault, site.store(), round)
                .isIn(allowed);
        assertInTime(fault, round);
        return round;
    }

    /** A holder that lives says what it comes to know; where it may keep the lease, it has as long for that as a lease lasts. */
    private void awaitTold(WorkerProcess holder, long start, boolean mayKeep) {
        if (mayKeep) {
            LockSupport.parkNanos(site.lease().toNanos());
        }
        Await.until(
                "the former holder says that it is that: " + holder.events(),
                () -> !holder.process().alive()
                        || told(holder, start)
                        || mayKeep && acquisitions(start).isEmpty());
    }

    private static boolean told(WorkerProcess holder, long start) {
        return holder.events().stream()
                .anyMatch(event -> event.nanos() > start && (event.is(Kind.LOST) || event.is(Kind.FAILED)));
    }

    /** A dead holder is replaced within one time to live plus one beat. */
    private void assertInTime(Fault fault, Round round) {
        if (round.outcome() == Outcome.REPLACED) {
            Duration beat = site.lease().dividedBy(2);
            assertThat(round.replacedAfter())
                    .as("%s on %s is replaced in time", fault, site.store())
                    .hasValueSatisfying(time -> assertThat(time)
                            .isLessThanOrEqualTo(site.lease()
                                    .plus(beat)
                                    .plus(site.kind().slack())
                                    .plus(ALLOWANCE)));
        }
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
                dead.add(workers.set(index, start(index)));
                workers.get(index).awaitReady();
            }
        }
    }

    private record Counts(long commits, long stale, long lost) {}

    /** A database that is being killed is asked again. */
    Counts counts() {
        while (true) {
            try (Connection connection = DriverManager.getConnection(site.jdbcUrl())) {
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

    private Round round(WorkerProcess holder, long start, Counts before, Counts after) {
        List<Acquisition> acquisitions = acquisitions(start);
        return new Round(
                !holder.process().alive(),
                acquisitions.size(),
                handOvers(holder, acquisitions),
                count(Kind.LOST, start),
                holder.events(Kind.FAILED).stream()
                        .filter(event -> event.nanos() > start)
                        .count(),
                everybody().flatMap(worker -> leads(worker, start)).toList(),
                acquisitions.stream()
                        .filter(acquisition -> acquisition.worker() != holder)
                        .findFirst()
                        .map(acquisition -> Duration.ofNanos(acquisition.nanos() - start)),
                after.commits() - before.commits(),
                after.stale() - before.stale(),
                after.lost() - before.lost());
    }

    private record Acquisition(WorkerProcess worker, long nanos) {}

    /** Of all workers, in the order of time. */
    private List<Acquisition> acquisitions(long since) {
        return everybody()
                .flatMap(worker ->
                        worker.events(Kind.ACQUIRED).stream().map(event -> new Acquisition(worker, event.nanos())))
                .filter(acquisition -> acquisition.nanos() > since)
                .sorted(Comparator.comparingLong(Acquisition::nanos))
                .toList();
    }

    private static long handOvers(WorkerProcess holder, List<Acquisition> acquisitions) {
        List<WorkerProcess> holders = Stream.concat(
                        Stream.of(holder), acquisitions.stream().map(Acquisition::worker))
                .toList();
        return IntStream.range(1, holders.size())
                .filter(at -> holders.get(at) != holders.get(at - 1))
                .count();
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
        return worker.events(Kind.LOST).stream()
                .filter(loss -> loss.nanos() > since)
                .flatMap(loss -> successor(worker, acquisition(worker, loss)).stream()
                        .map(next -> Duration.ofNanos(next - loss.nanos())));
    }

    private static long acquisition(WorkerProcess worker, Event loss) {
        return worker.events(Kind.ACQUIRED).stream()
                .filter(loss::sameLease)
                .mapToLong(Event::nanos)
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

    /** Writes the rows down; a run that fails before does not. */
    void done() {
        Results.add(site.title(), rows);
    }

    /** Ends the workers. */
    @Override
    public void close() {
        workers.forEach(worker -> worker.process().close());
    }
}

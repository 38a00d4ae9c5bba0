package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.database.LockSamples;
import dev.cerrojo.explorer.database.MeasuredDatabase;
import dev.cerrojo.explorer.database.MeasuredDatabase.Ended;
import dev.cerrojo.explorer.database.MeasuredDatabase.Program;
import dev.cerrojo.explorer.measure.Contender;
import dev.cerrojo.explorer.measure.Measured;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.search.Progress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One contestant under one load: makes its calls, and tells how they ended. */
final class Lane implements Contender {
    /** Integrity constraints: what a guard in the database refuses with. */
    private static final String REFUSED_BY_DATABASE = "23";

    private final String name;
    private final List<Program> programs;
    private final Calls calls;
    private final LockSamples samples;
    private final LockSamples.Watched watched;
    private final Limit limit;
    private final Progress progress;

    /** Set while no client runs. */
    private long bursts;

    private long committed;
    private long refused;
    private long failed;
    private long nanos;

    Lane(
            String name,
            MeasuredDatabase database,
            List<Program> programs,
            Calls calls,
            LockSamples samples,
            Limit limit,
            Progress progress) {
        this.name = name;
        this.programs = programs;
        this.calls = calls;
        this.samples = samples;
        this.limit = limit;
        this.progress = progress;
        this.watched = new LockSamples.Watched(database.name());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int prepare() throws SQLException {
        limit.check();
        progress.ran(++bursts, 0, 0);
        samples.watch(watched);
        return calls.prepare();
    }

    @Override
    public synchronized void warmedUp() {
        committed = 0;
        refused = 0;
        failed = 0;
        nanos = 0;
        watched.forget();
    }

    @Override
    public Client client(int number) {
        return new LaneClient(number);
    }

    /**
     * When measuring is given up.
     *
     * @param begun as {@link System#nanoTime} tells
     * @param most how long after that
     */
    record Limit(long begun, Duration most) {
        /** More than rounds take on a machine that does other things too. */
        static Limit of(Measuring how) {
            return new Limit(System.nanoTime(), how.time().multipliedBy(5).plusSeconds(60));
        }

        void check() throws SQLException {
            if (System.nanoTime() - begun > most.toNanos()) {
                throw new SQLException("measuring was not done within " + most.toSeconds() + " s");
            }
        }
    }

    /** Its connections are the database's. */
    private final class LaneClient implements Client {
        private final int number;
        private long burst;
        private int done;

        LaneClient(int number) {
            this.number = number;
        }

        @Override
        public int transaction() {
            done = burst == bursts ? done + 1 : 0;
            burst = bursts;
            return call(number, calls.next(number, done));
        }

        @Override
        public void close() {
            // nothing is its own
        }
    }

    private int call(int client, Calls.Choice choice) {
        long begun = System.nanoTime();
        watched.begin();
        try {
            Ended ended = programs.get(choice.entry()).run(client, choice.session());
            ended(ended.outcome(), System.nanoTime() - begun);
            return ended.retries();
        } finally {
            watched.end();
        }
    }

    private synchronized void ended(Outcome outcome, long took) {
        nanos += took;
        if (outcome instanceof Outcome.Committed) {
            committed++;
        } else if (isRefused(outcome)) {
            refused++;
        } else {
            failed++;
        }
    }

    static boolean isRefused(Outcome outcome) {
        return outcome instanceof Outcome.Refused
                || (outcome instanceof Outcome.Failed failure
                        && failure.sqlState().startsWith(REFUSED_BY_DATABASE));
    }

    /** {@return what came of it, in all rounds that count} */
    synchronized Load load(Measured measured) {
        long all = committed + refused + failed;
        double millis = all == 0 ? 0 : (double) nanos / all / TimeUnit.MILLISECONDS.toNanos(1);
        return new Load(measured, watched.share() * millis, committed, refused, failed);
    }
}

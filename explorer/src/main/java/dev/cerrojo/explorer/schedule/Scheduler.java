package dev.cerrojo.explorer.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs sessions so that one has the turn at a time, in an order that a {@link Chooser} gives.
 *
 * <p>A choice is made only when every session is quiet: before its next step, done, or in a step that waits for a lock
 * which one of the other sessions will not release without a turn. That a step waits is never concluded from time: it is
 * PostgreSQL's word, {@code pg_blocking_pids}, asked on a connection apart from the sessions. A waiting step has begun: at
 * READ COMMITTED its snapshot is taken, so it is no choice any more. A session of Java code can also wait for another outside
 * of PostgreSQL; the program tells, and it too is no choice until it goes on.
 *
 * <p>The victim of a deadlock is the session whose {@code deadlock_timeout} runs out first while the cycle is closed. The
 * timer runs once per wait. By default it is so short that every earlier wait's timer has run out before the next turn is
 * given, and so the session that closes the cycle is the victim; a chooser that wants another one sets the timers before
 * the waits begin.
 *
 * <p>One run at a time. Safe to use from one thread only; the sessions have threads of their own. The chooser and the monitor are
 * used by one thread at a time, but not always the same one: where nobody waits, the session that has come to its gate gives the
 * next turn itself, because waking another thread for that takes as long as a statement.
 */
public final class Scheduler implements AutoCloseable {
    private static final AtomicInteger THREADS = new AtomicInteger();

    private final LockMonitor monitor;
    private final Settings settings;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "cerrojo-session-" + THREADS.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    });

    /**
     * How long to wait for what.
     *
     * @param stepTimeout after which a step that neither ends nor waits for another session gives up the run
     * @param timersRunOut how long a wait must be known before a statement is given the turn, so that its deadlock timer
     *     has run out
     * @param firstProbe after which it is first asked whether a step waits: most that do not have ended by then
     */
    public record Settings(Duration stepTimeout, Duration timersRunOut, Duration firstProbe) {
        /** {@return ten seconds a step; the timers of the default {@code deadlock_timeout} of 1 ms} */
        public static Settings standard() {
            return new Settings(Duration.ofSeconds(10), Duration.ofNanos(1_500_000), Duration.ofNanos(300_000));
        }

        /** {@return the same, where most turns end at a gate inside of a statement, which comes soon} */
        public Settings forGates() {
            return new Settings(stepTimeout, timersRunOut, firstProbe.dividedBy(2));
        }
    }

    /**
     * Makes a scheduler.
     *
     * @param monitor who tells which backends wait
     * @param settings how long to wait for what
     */
    public Scheduler(LockMonitor monitor, Settings settings) {
        this.monitor = monitor;
        this.settings = settings;
    }

    /**
     * Runs the sessions to their end.
     *
     * @param programs what each session does
     * @param chooser gives the order
     * @return what was seen
     * @throws Diverged if the chooser could not be followed; every session has ended then
     * @throws Unsettled if a step did not end and waited for nobody of ours; every session has ended then
     */
    public Trace run(List<? extends SessionProgram> programs, Chooser chooser) {
        return run(programs, chooser, Fault.Budget.NONE);
    }

    /**
     * Runs the sessions to their end, while faults may befall them.
     *
     * @param programs what each session does; all steps of theirs take faults
     * @param chooser gives the order, and says where faults befall whom
     * @param faults how many at most
     * @return what was seen
     * @throws Diverged if the chooser could not be followed; every session has ended then
     * @throws Unsettled if a step did not end and waited for nobody of ours; every session has ended then
     */
    public Trace run(List<? extends SessionProgram> programs, Chooser chooser, Fault.Budget faults) {
        ScheduleRun run = new ScheduleRun(programs, monitor, settings, chooser, faults);
        List<Runnable> tasks = new ArrayList<>();
        for (int i = 0; i < programs.size(); i++) {
            tasks.add(run.task(i));
        }
        tasks.forEach(threads::execute);
        return run.drive();
    }

    /** Lets the sessions' threads end. */
    @Override
    public void close() {
        threads.shutdown();
    }
}

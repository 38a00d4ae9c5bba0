package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.Choice;
import dev.cerrojo.explorer.schedule.ChoicePoint;
import dev.cerrojo.explorer.schedule.Diverged;
import dev.cerrojo.explorer.schedule.Schedule;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.schedule.Unsettled;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs the schedules of a subject, by re-execution from the start state: each run follows the first choices of a schedule
 * not yet run, and then lets sessions go on as far as they can. Used once.
 */
public final class Search {
    private static final String NO_CHOICE_OF_VICTIM =
            "a deadlock's victim could not be chosen: the role may not SET deadlock_timeout";

    private static final int ATTEMPTS = 6;
    private static final int MAX_UNSETTLED = 2;
    private static final int MAX_RESTARTS = 100;

    /** All serial orders of so many sessions are run first: four have 24. */
    private static final int MAX_SERIAL = 4;

    private final Subject subject;
    private final Bounds bounds;
    private final Goal goal;
    private final Progress progress;
    private Frontier frontier;
    private boolean reduced;
    private int restarts;

    /** Counts how often the search began. */
    private int beginnings;

    private int busy;
    private boolean reached;
    private long started;
    private Shard shard = Shard.WHOLE;
    private final Set<String> doubts = new LinkedHashSet<>();
    private @Nullable Throwable failure;
    private Tally tally = new Tally();
    private int unsettled;
    private @Nullable String reason;

    /** How a session did another step than before, though it did the same when it was tried again. */
    private @Nullable String nondeterminism;

    /**
     * Makes a search.
     *
     * @param subject what is explored
     * @param bounds where it gives up
     * @param goal when it may stop early
     * @param mode whether schedules that cannot be told apart are run once or each
     * @param progress is told how it goes
     */
    public Search(Subject subject, Bounds bounds, Goal goal, Mode mode, Progress progress) {
        this(
                subject,
                bounds,
                goal,
                mode == Mode.REDUCED && subject.isReducible()
                        ? new ReducedFrontier(new Dependence(subject.ordersBeginnings()))
                        : new ExhaustiveFrontier(),
                progress);
    }

    /**
     * Makes a random search, for programs too large to be explored; it finds, and never shows that something holds.
     *
     * @param subject what is explored
     * @param sample how many schedules, and which
     * @param bounds where it gives up
     * @param goal when it may stop early
     * @param progress is told how it goes
     * @return the search
     */
    public static Search byChance(Subject subject, Sample sample, Bounds bounds, Goal goal, Progress progress) {
        return new Search(subject, bounds, goal, new RandomFrontier(sample), progress);
    }

    /**
     * Makes a search of all that can follow some first choices, every schedule of it.
     *
     * @param subject what is explored
     * @param beginning the choices, as they were seen to be made
     * @param bounds where it gives up
     * @param goal when it may stop early; not {@link Goal#EVERY_SCHEDULE}, which compares with serial orders
     * @param progress is told how it goes
     * @return the search
     */
    public static Search after(
            Subject subject, List<ChoicePoint> beginning, Bounds bounds, Goal goal, Progress progress) {
        @Nullable Path path = null;
        for (ChoicePoint point : beginning) {
            path = Path.taken(path, point);
        }
        Frontier frontier = new ExhaustiveFrontier();
        frontier.from(path);
        return new Search(subject, bounds, goal, frontier, progress);
    }

    /** For tests, which give another notion of what is independent. */
    Search(Subject subject, Bounds bounds, Goal goal, Frontier frontier, Progress progress) {
        this.subject = subject;
        this.bounds = bounds;
        this.goal = goal;
        this.progress = progress;
        this.reduced = frontier instanceof ReducedFrontier;
        this.frontier = frontier;
    }

    /** What a search runs. */
    public enum Mode {
        /** One of all schedules that differ only in the order of independent steps. */
        REDUCED,
        /** Every schedule. */
        EXHAUSTIVE
    }

    /**
     * Explores only a part.
     *
     * @param part which
     * @return this
     */
    public Search only(Shard part) {
        shard = part;
        frontier.only(part);
        return this;
    }

    /** {@return what was found} */
    public Exploration run() {
        return run(Helpers.NONE);
    }

    /**
     * Explores in several databases at once, when there is enough to do.
     *
     * @param helpers lend the others
     * @return what was found; of a reduced search the counts and the witness can differ from time to time, since which schedule
     *     stands for those that cannot be told apart depends on the order in which they are run
     */
    public Exploration run(Helpers helpers) {
        started = System.nanoTime();
        boolean serialViolation = goal == Goal.EVERY_SCHEDULE && violatedSerially();
        frontier.start();
        HelpingThreads threads = new HelpingThreads(helpers, this::work, this::failed);
        try {
            work(subject, threads);
        } finally {
            threads.join();
        }
        rethrowFailure();
        if (tally.deadlocking() > 0 && !subject.controlsVictims() && reason == null) {
            reason = NO_CHOICE_OF_VICTIM;
        }
        if (tally.wakeUpOrders() > 0 && reason == null) {
            reason = "in " + tally.wakeUpOrders()
                    + " schedules one COMMIT let two sessions go on that then met again; which of"
                    + " them came first was PostgreSQL's choice, and the other order was not tried";
        }
        if (reason == null && !reached) {
            reason = nondeterminism == null ? frontier.incompleteness().orElse(null) : nondeterminism;
        }
        if (subject.isJudgedBySerialOrders() && !doubts.isEmpty() && reason == null) {
            reason = String.join("; ", doubts);
        }
        boolean exhausted = !reached && reason == null;
        return tally.exploration(
                exhausted,
                reduced,
                serialViolation,
                Optional.ofNullable(reason),
                Duration.ofNanos(System.nanoTime() - started),
                List.copyOf(doubts));
    }

    /** A schedule that a worker runs; it counts only when the search has not begun again meanwhile. */
    private record Job(Item item, PathChooser chooser, int beginning) {}

    private void work(Subject at, HelpingThreads threads) {
        try {
            for (Job job = next(threads); job != null; job = next(threads)) {
                work(at, job);
            }
        } catch (RuntimeException | Error e) {
            failed(e);
            throw e;
        } finally {
            synchronized (this) {
                doubts.addAll(at.doubts());
            }
        }
    }

    private void work(Subject at, Job job) {
        boolean ran = false;
        Optional<Execution> seen = Optional.empty();
        try {
            seen = execute(at, job.chooser(), job.item().choices());
            ran = true;
        } finally {
            synchronized (this) {
                busy--;
                notifyAll();
                if (ran && job.beginning() == beginnings) {
                    take(job, seen);
                }
            }
        }
    }

    /** Waits for the others when only they may still find work. */
    private synchronized @Nullable Job next(HelpingThreads threads) {
        while (!reached && reason == null && failure == null) {
            if (busy == 0 || tally.schedules() + busy < bounds.maxSchedules()) {
                Item item = frontier.poll();
                if (item == null && busy == 0) {
                    return null;
                }
                if (item != null && (frontier.isCovered(item) || isBeyondOurChoice(item))) {
                    continue;
                }
                if (item != null) {
                    if (isOutOfBounds()) {
                        return null;
                    }
                    busy++;
                    threads.help(frontier.waiting(), System.nanoTime() - started);
                    return new Job(item, frontier.chooser(item), beginnings);
                }
            }
            awaitOthers();
        }
        return null;
    }

    @SuppressWarnings("WaitNotInLoop") // the caller loops
    private void awaitOthers() {
        try {
            wait();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = new Unsettled("the exploration was interrupted");
        }
    }

    private synchronized void failed(Throwable e) {
        if (failure == null) {
            failure = e;
        }
        notifyAll();
    }

    private synchronized void rethrowFailure() {
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
    }

    /** Another victim than PostgreSQL chose, where we may not set the timers that make it one. */
    private boolean isBeyondOurChoice(Item item) {
        return item.path != null && item.path.forced() && !subject.controlsVictims();
    }

    private static boolean isBeyondOurChoice(Subject subject, Diverged e) {
        return e.deadlock().isPresent() && !subject.controlsVictims();
    }

    private boolean isOutOfBounds() {
        if (tally.schedules() >= bounds.maxSchedules()) {
            reason = "stopped after " + tally.schedules() + " schedules (--max-schedules)";
        } else if (System.nanoTime() - started > bounds.timeout().toNanos()) {
            reason = "stopped after " + bounds.timeout().toSeconds() + " s (--timeout)";
        }
        return reason != null;
    }

    private void take(Job job, Optional<Execution> seen) {
        boolean sound = true;
        if (seen.isPresent()) {
            Execution execution = seen.orElseThrow();
            if (shard.has(execution.trace().schedule().choices())) {
                tally.add(execution);
                reached |= goal.isReachedBy(execution);
            }
            sound = frontier.expand(job.item(), job.chooser(), execution);
            progress.ran(tally.schedules(), tally.violating(), frontier.waiting());
        } else if (reason == null) {
            tally.addRedundant();
            sound = frontier.redundant(job.item(), job.chooser());
        }
        if (!sound && !reached) {
            tally = new Tally();
            beginAgain();
        }
    }

    /** Each time more is known of what steps touch. Where that never ends, relations are made and dropped. */
    private void beginAgain() {
        if (restarts++ == MAX_RESTARTS) {
            reduced = false;
            frontier = new ExhaustiveFrontier();
            frontier.only(shard);
        }
        beginnings++;
        frontier.start();
    }

    /** A scenario that is wrong without concurrency is no race; and serial orders are what a reader compares with. */
    private boolean violatedSerially() {
        for (List<Integer> order : SerialChooser.orders(subject.sessions(), MAX_SERIAL)) {
            try {
                Execution execution = subject.execute(new SerialChooser(order));
                if (execution.isViolation()
                        && !execution.trace().waited()
                        && !execution.trace().deadlocked()) {
                    return true;
                }
            } catch (Unsettled e) {
                reason = e.getMessage();
            }
        }
        return false;
    }

    /**
     * Runs a path, again if it diverges: the victim of a deadlock, or who wakes first, can need more than one try.
     *
     * @return nothing when it was redundant or is impossible, or when it could not be run; only then the reason is set
     */
    private Optional<Execution> execute(Subject at, PathChooser chooser, List<Path> path) {
        for (int attempt = 0; ; attempt++) {
            try {
                chooser.restart();
                return Optional.of(at.execute(chooser));
            } catch (Redundant e) {
                return Optional.empty();
            } catch (Diverged e) {
                if (chooser.isImpossible(e)) {
                    return Optional.empty();
                }
                if (isBeyondOurChoice(at, e)) {
                    return givenUp(NO_CHOICE_OF_VICTIM);
                }
                String text = "not deterministic: " + e.getMessage() + ", following "
                        + new Schedule(path.stream().map(Path::choice).toList());
                if (attempt == ATTEMPTS) {
                    return givenUp(text);
                }
                if (e.isByAnotherStep()) {
                    noteNondeterminism(text);
                }
                int tried = attempt;
                e.deadlock().ifPresent(deadlock -> chooser.force(e.position(), deadlock, tried));
            } catch (Unsettled e) {
                if (isOneTooMany()) {
                    return givenUp(e.getMessage() + ", following "
                            + new Schedule(path.stream().map(Path::choice).toList()));
                }
            }
        }
    }

    private synchronized Optional<Execution> givenUp(String why) {
        reason = reason == null ? why : reason;
        return Optional.empty();
    }

    private synchronized void noteNondeterminism(String how) {
        nondeterminism = nondeterminism == null ? how : nondeterminism;
    }

    private synchronized boolean isOneTooMany() {
        return unsettled++ == MAX_UNSETTLED;
    }

    /**
     * Follows one schedule.
     *
     * @param subject what is run
     * @param choices the schedule; when it is shorter than the run, the rest is free
     * @return what was seen
     * @throws Diverged if it went another way, again and again
     */
    public static Execution replay(Subject subject, List<Choice> choices) {
        return replay(subject, choices, Optional.empty());
    }

    /**
     * Follows one schedule, and compares how it goes. Which of two sessions that one COMMIT lets go on comes first is no choice of
     * ours: such a schedule is tried more than once.
     *
     * @param subject what is run
     * @param choices the schedule; when it is shorter than the run, the rest is free
     * @param course how it went before ({@link dev.cerrojo.explorer.schedule.Trace#course})
     * @return what was seen
     * @throws Diverged if it went another way, again and again
     */
    public static Execution replay(Subject subject, List<Choice> choices, Optional<String> course) {
        @Nullable Path path = null;
        for (Choice choice : choices) {
            path = new Path(path, choice, null, null, false);
        }
        PathChooser chooser = new PathChooser(Path.list(path));
        for (int attempt = 0; ; attempt++) {
            try {
                chooser.restart();
                Execution execution = subject.execute(chooser);
                requireWhole(choices, execution.trace());
                course.ifPresent(execution.trace()::requireCourse);
                return execution;
            } catch (Diverged e) {
                boolean byChance = e.deadlock().isPresent() || course.isPresent();
                if (attempt == ATTEMPTS || !byChance || isBeyondOurChoice(subject, e)) {
                    throw e;
                }
                int tried = attempt;
                e.deadlock().ifPresent(deadlock -> chooser.force(e.position(), deadlock, tried));
            }
        }
    }

    /** A schedule may leave the rest free, but not go on behind the end. */
    private static void requireWhole(List<Choice> choices, Trace trace) {
        int taken = trace.points().size();
        if (choices.size() > taken) {
            char letter = Choice.letter(choices.get(taken).session());
            throw new Diverged(taken, "it is " + letter + "'s turn, but all is done", Optional.empty());
        }
    }
}

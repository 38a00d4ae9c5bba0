package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.Choice;
import dev.cerrojo.explorer.schedule.Diverged;
import dev.cerrojo.explorer.schedule.Schedule;
import dev.cerrojo.explorer.schedule.Unsettled;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs the schedules of a subject, by re-execution from the start state: each run follows the first choices of a schedule
 * not yet run, and then lets sessions go on as far as they can.
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

    /** {@return what was found} */
    public Exploration run() {
        long started = System.nanoTime();
        boolean serialViolation = goal == Goal.EVERY_SCHEDULE && violatedSerially();
        frontier.start();
        boolean reached = false;
        while (!reached && reason == null) {
            Item item = frontier.poll();
            if (item == null) {
                break;
            }
            if (!frontier.isCovered(item) && !isBeyondOurChoice(item) && !isOutOfBounds(started)) {
                reached = run(item);
            }
        }
        if (tally.deadlocking() > 0 && !subject.controlsVictims() && reason == null) {
            reason = NO_CHOICE_OF_VICTIM;
        }
        if (tally.wakeUpOrders() > 0 && reason == null) {
            reason = "in " + tally.wakeUpOrders()
                    + " schedules one COMMIT let two sessions go on that then met again; which of"
                    + " them came first was PostgreSQL's choice, and the other order was not tried";
        }
        if (reason == null && !reached) {
            reason = nondeterminism;
        }
        List<String> doubts = subject.doubts();
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
                doubts);
    }

    /** Another victim than PostgreSQL chose, where we may not set the timers that make it one. */
    private boolean isBeyondOurChoice(Item item) {
        return item.path != null && item.path.forced() && !subject.controlsVictims();
    }

    private static boolean isBeyondOurChoice(Subject subject, Diverged e) {
        return e.deadlock().isPresent() && !subject.controlsVictims();
    }

    private boolean isOutOfBounds(long started) {
        if (tally.schedules() >= bounds.maxSchedules()) {
            reason = "stopped after " + tally.schedules() + " schedules (--max-schedules)";
        } else if (System.nanoTime() - started > bounds.timeout().toNanos()) {
            reason = "stopped after " + bounds.timeout().toSeconds() + " s (--timeout)";
        }
        return reason != null;
    }

    private boolean run(Item item) {
        PathChooser chooser = frontier.chooser(item);
        Optional<Execution> seen = execute(chooser, item.choices());
        boolean sound = true;
        if (seen.isPresent()) {
            Execution execution = seen.orElseThrow();
            tally.add(execution);
            sound = frontier.expand(item, chooser, execution);
            progress.ran(tally.schedules(), tally.violating(), frontier.waiting());
            if (goal.isReachedBy(execution)) {
                return true;
            }
        } else if (reason == null) {
            tally.addRedundant();
            sound = frontier.redundant(item, chooser);
        }
        if (!sound) {
            tally = new Tally();
            beginAgain();
        }
        return false;
    }

    /** Each time more is known of what steps touch. Where that never ends, relations are made and dropped. */
    private void beginAgain() {
        if (restarts++ == MAX_RESTARTS) {
            reduced = false;
            frontier = new ExhaustiveFrontier();
        }
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
    private Optional<Execution> execute(PathChooser chooser, List<Path> path) {
        for (int attempt = 0; ; attempt++) {
            try {
                chooser.restart();
                return Optional.of(subject.execute(chooser));
            } catch (Redundant e) {
                return Optional.empty();
            } catch (Diverged e) {
                if (chooser.isImpossible(e)) {
                    return Optional.empty();
                }
                if (isBeyondOurChoice(subject, e)) {
                    reason = NO_CHOICE_OF_VICTIM;
                    return Optional.empty();
                }
                String text = "not deterministic: " + e.getMessage() + ", following "
                        + new Schedule(path.stream().map(Path::choice).toList());
                if (attempt == ATTEMPTS) {
                    reason = text;
                    return Optional.empty();
                }
                if (e.isByAnotherStep() && nondeterminism == null) {
                    nondeterminism = text;
                }
                int tried = attempt;
                e.deadlock().ifPresent(deadlock -> chooser.force(e.position(), deadlock, tried));
            } catch (Unsettled e) {
                if (unsettled++ == MAX_UNSETTLED) {
                    reason = e.getMessage() + ", following "
                            + new Schedule(path.stream().map(Path::choice).toList());
                    return Optional.empty();
                }
            }
        }
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
        @Nullable Path path = null;
        for (Choice choice : choices) {
            path = new Path(path, choice, null, null, false);
        }
        PathChooser chooser = new PathChooser(Path.list(path));
        for (int attempt = 0; ; attempt++) {
            try {
                chooser.restart();
                return subject.execute(chooser);
            } catch (Diverged e) {
                if (attempt == ATTEMPTS || e.deadlock().isEmpty() || isBeyondOurChoice(subject, e)) {
                    throw e;
                }
                chooser.force(e.position(), e.deadlock().orElseThrow(), attempt);
            }
        }
    }
}

package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.ChoicePoint;
import dev.cerrojo.explorer.schedule.Diverged;
import dev.cerrojo.explorer.schedule.Unsettled;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Runs every schedule of a subject, by re-execution from the start state.
 *
 * <p>Each run follows a path and then lets sessions run as far as they can; every choice it could have made otherwise is a
 * path not yet run. So each schedule is run exactly once, and the tree of schedules is never kept whole. Schedules with few
 * preemptions come first: races mostly need one or two. Every fourth run follows the path with the most aborts instead,
 * since retries run out only at the end of a long series of them, which no small number of preemptions reaches.
 */
public final class Search {
    private static final int ATTEMPTS = 6;
    private static final int MAX_UNSETTLED = 2;

    private final Subject subject;
    private final Bounds bounds;
    private final Goal goal;
    private final Progress progress;

    private final PriorityQueue<Item> byPreemptions =
            new PriorityQueue<>(Comparator.comparingInt(Item::preemptions).thenComparingLong(Item::number));
    private final PriorityQueue<Item> byAborts = new PriorityQueue<>(Comparator.comparingInt(Item::aborts)
            .reversed()
            .thenComparing(Comparator.comparingLong(Item::number).reversed()));

    private long items;
    private long waitingItems;
    private int unsettled;
    private final Tally tally = new Tally();
    private @Nullable String reason;

    /** A path to be run. */
    private static final class Item {
        final @Nullable Path path;
        final int length;
        final int preemptions;
        final int aborts;
        final long number;
        boolean taken;

        Item(@Nullable Path path, int length, int preemptions, int aborts, long number) {
            this.path = path;
            this.length = length;
            this.preemptions = preemptions;
            this.aborts = aborts;
            this.number = number;
        }

        int preemptions() {
            return preemptions;
        }

        int aborts() {
            return aborts;
        }

        long number() {
            return number;
        }
    }

    /**
     * Makes a search.
     *
     * @param subject what is explored
     * @param bounds where it gives up
     * @param goal when it may stop early
     * @param progress is told how it goes
     */
    public Search(Subject subject, Bounds bounds, Goal goal, Progress progress) {
        this.subject = subject;
        this.bounds = bounds;
        this.goal = goal;
        this.progress = progress;
    }

    /** {@return what was found} */
    public Exploration run() {
        long started = System.nanoTime();
        add(null, 0, 0, 0);
        boolean reached = false;
        while (!reached) {
            Item item = next();
            if (item == null) {
                break;
            }
            if (tally.schedules() >= bounds.maxSchedules()) {
                reason = "stopped after " + tally.schedules() + " schedules (--max-schedules)";
                break;
            }
            if (System.nanoTime() - started > bounds.timeout().toNanos()) {
                reason = "stopped after " + bounds.timeout().toSeconds() + " s (--timeout)";
                break;
            }
            Execution execution = execute(item);
            if (execution == null) {
                if (unsettled > MAX_UNSETTLED) {
                    break;
                }
                continue;
            }
            tally.add(execution, item.preemptions == 0);
            expand(item, execution);
            progress.ran(tally.schedules(), tally.violating(), waitingItems);
            reached = goal.isReachedBy(execution);
        }
        if (tally.deadlocking() > 0 && !subject.controlsVictims() && reason == null) {
            reason = "a deadlock's victim could not be chosen: the role may not SET deadlock_timeout";
        }
        boolean exhausted = !reached && reason == null && waitingItems == 0;
        return tally.exploration(exhausted, Optional.ofNullable(reason), Duration.ofNanos(System.nanoTime() - started));
    }

    private void add(@Nullable Path path, int length, int preemptions, int aborts) {
        Item item = new Item(path, length, preemptions, aborts, items++);
        byPreemptions.add(item);
        if (aborts > 0) {
            byAborts.add(item);
        }
        waitingItems++;
    }

    private @Nullable Item next() {
        Item item = tally.schedules() % 4 == 3 ? poll(byAborts) : null;
        item = item == null ? poll(byPreemptions) : item;
        if (item != null) {
            item.taken = true;
            waitingItems--;
        }
        return item;
    }

    private static @Nullable Item poll(PriorityQueue<Item> queue) {
        Item item = queue.poll();
        while (item != null && item.taken) {
            item = queue.poll();
        }
        return item;
    }

    /** Runs a path, again if it diverges: the victim of a deadlock, or who wakes first, can need more than one try. */
    private @Nullable Execution execute(Item item) {
        List<Path> path = Path.list(item.path);
        PathChooser chooser = new PathChooser(path);
        for (int attempt = 0; ; attempt++) {
            try {
                return subject.execute(chooser);
            } catch (Diverged e) {
                if (attempt == ATTEMPTS) {
                    reason = "not deterministic: " + e.getMessage();
                    return null;
                }
                int tried = attempt;
                e.deadlock().ifPresent(deadlock -> chooser.force(e.position(), deadlock, tried));
            } catch (Unsettled e) {
                reason = e.getMessage();
                unsettled++;
                return null;
            }
        }
    }

    /** Adds a path for every choice that the run could have made otherwise. */
    private void expand(Item item, Execution execution) {
        List<ChoicePoint> points = execution.trace().points();
        @Nullable Path path = item.path;
        int preemptions = item.preemptions;
        for (int i = item.length; i < points.size(); i++) {
            ChoicePoint point = points.get(i);
            for (int session : point.options()) {
                if (session != point.taken().session()) {
                    add(
                            Path.instead(path, point, session),
                            i + 1,
                            preemptions + (point.isPreemptedBy(session) ? 1 : 0),
                            point.aborts());
                }
            }
            path = Path.taken(path, point);
            preemptions += point.isPreemptedBy(point.taken().session()) ? 1 : 0;
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
    public static Execution replay(Subject subject, List<dev.cerrojo.explorer.schedule.Choice> choices) {
        @Nullable Path path = null;
        for (dev.cerrojo.explorer.schedule.Choice choice : choices) {
            path = new Path(path, choice, null, null, false);
        }
        PathChooser chooser = new PathChooser(Path.list(path));
        for (int attempt = 0; ; attempt++) {
            try {
                return subject.execute(chooser);
            } catch (Diverged e) {
                if (attempt == ATTEMPTS || e.deadlock().isEmpty()) {
                    throw e;
                }
                chooser.force(e.position(), e.deadlock().orElseThrow(), attempt);
            }
        }
    }
}

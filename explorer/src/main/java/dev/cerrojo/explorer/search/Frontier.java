package dev.cerrojo.explorer.search;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The schedules known and not yet run, and the rule by which a run adds more.
 *
 * <p>Schedules with few preemptions come first: races mostly need one or two. Every fourth one is that with the most aborts
 * instead, since retries run out only at the end of a long series of them, which no small number of preemptions reaches.
 */
abstract class Frontier {
    private final PriorityQueue<Item> byPreemptions =
            new PriorityQueue<>(Comparator.comparingInt(Item::preemptions).thenComparingLong(Item::number));
    private final PriorityQueue<Item> byAborts = new PriorityQueue<>(
            Comparator.comparingInt(Item::aborts).reversed().thenComparingLong(item -> -item.number()));

    /** The schedules from which the parts of an exploration branch off: these are run in the order in which they are found. */
    private final Deque<Item> first = new ArrayDeque<>();

    private Shard shard = Shard.WHOLE;

    /** The choices that all schedules begin with. */
    private @Nullable Path origin;

    private long numbered;
    private long polled;
    private long waiting;

    /** Leaves out what is in other parts. */
    final void only(Shard part) {
        shard = part;
    }

    /** Leaves out what does not begin with these choices. */
    final void from(@Nullable Path path) {
        origin = path;
    }

    /** {@return whether every turn that can be given at a moment is, so that each part knows where the others begin} */
    final boolean branchesFully(int position) {
        return position < shard.depth();
    }

    /** Starts with the schedule that lets each session run as far as it can. */
    final void start() {
        byPreemptions.clear();
        byAborts.clear();
        first.clear();
        waiting = 0;
        add(origin, Path.list(origin).size(), 0, 0, null);
    }

    final void add(@Nullable Path path, int length, int preemptions, int aborts, @Nullable Node node) {
        if (shard.isPart()
                && length >= shard.depth()
                && !shard.has(Path.list(path).stream().map(Path::choice).toList())) {
            return;
        }
        Item item = new Item(path, length, preemptions, aborts, numbered++, node);
        if (length > 0 && branchesFully(length - 1)) {
            first.add(item);
            waiting++;
            return;
        }
        byPreemptions.add(item);
        if (aborts > 0) {
            byAborts.add(item);
        }
        waiting++;
    }

    long waiting() {
        return waiting;
    }

    final @Nullable Item poll() {
        Item item = first.poll();
        item = item == null && polled++ % 4 == 3 ? poll(byAborts) : item;
        item = item == null ? poll(byPreemptions) : item;
        if (item != null) {
            item.taken = true;
            waiting--;
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

    /** {@return why not every schedule is run though no more is known, if that is so} */
    Optional<String> incompleteness() {
        return Optional.empty();
    }

    /** {@return whether an item need not be run after all} */
    boolean isCovered(Item item) {
        return false;
    }

    /** {@return what follows an item's choices, and goes on from there} */
    abstract PathChooser chooser(Item item);

    /**
     * Adds the schedules that a run shows to be needed.
     *
     * @param item what was to be run
     * @param chooser what chose
     * @param execution what was seen
     * @return false when what was assumed before turned out wrong, so that the search must begin again
     */
    abstract boolean expand(Item item, PathChooser chooser, Execution execution);

    /** Is told that a run was given up because all that it could still do is covered by others. */
    boolean redundant(Item item, PathChooser chooser) {
        return true;
    }
}

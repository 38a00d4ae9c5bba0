package dev.cerrojo.explorer.search;

import java.util.Comparator;
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
    private final PriorityQueue<Item> byAborts =
            new PriorityQueue<>(Comparator.comparingInt(Item::aborts).reversed().thenComparingLong(item -> -item.number()));
    private long numbered;
    private long polled;
    private long waiting;

    /** Starts with the schedule that lets each session run as far as it can. */
    final void start() {
        byPreemptions.clear();
        byAborts.clear();
        waiting = 0;
        add(null, 0, 0, 0, null);
    }

    final void add(@Nullable Path path, int length, int preemptions, int aborts, @Nullable Node node) {
        Item item = new Item(path, length, preemptions, aborts, numbered++, node);
        byPreemptions.add(item);
        if (aborts > 0) {
            byAborts.add(item);
        }
        waiting++;
    }

    final long waiting() {
        return waiting;
    }

    final @Nullable Item poll() {
        Item item = polled++ % 4 == 3 ? poll(byAborts) : null;
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

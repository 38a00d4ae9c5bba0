package dev.cerrojo.explorer.search;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A schedule to be run: its first choices. */
final class Item {
    final @Nullable Path path;
    final int length;
    final int preemptions;
    final int aborts;
    final long number;

    /** Where it leaves schedules that were run before; null for the first schedule, and in an exhaustive search. */
    final @Nullable Node node;

    boolean taken;

    Item(@Nullable Path path, int length, int preemptions, int aborts, long number, @Nullable Node node) {
        this.path = path;
        this.length = length;
        this.preemptions = preemptions;
        this.aborts = aborts;
        this.number = number;
        this.node = node;
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

    List<Path> choices() {
        return Path.list(path);
    }
}

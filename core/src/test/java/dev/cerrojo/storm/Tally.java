package dev.cerrojo.storm;

import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** What became of the operations. */
final class Tally {
    enum Outcome {
        /** COMMIT was answered. */
        COMMITTED,
        /** An invariant would have been violated. */
        REFUSED,
        /** The connection was lost before COMMIT, or there was none. */
        LOST,
        /** Retries or time were spent. */
        EXHAUSTED,
        /** The connection was lost at COMMIT. */
        UNKNOWN
    }

    private final Map<Outcome, Queue<UUID>> operations = new ConcurrentHashMap<>();
    private final LongAdder committed = new LongAdder();
    private final LongAdder attempts = new LongAdder();

    void attempted() {
        attempts.increment();
    }

    void ended(Outcome outcome, UUID operation) {
        operations(outcome).add(operation);
        if (outcome == Outcome.COMMITTED) {
            committed.increment();
        }
    }

    Queue<UUID> operations(Outcome outcome) {
        return operations.computeIfAbsent(outcome, any -> new ConcurrentLinkedQueue<>());
    }

    long committed() {
        return committed.sum();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Outcome outcome : Outcome.values()) {
            text.append(operations(outcome).size()).append(' ').append(outcome).append(", ");
        }
        return text.append(attempts.sum()).append(" attempts").toString().toLowerCase(Locale.ROOT);
    }
}

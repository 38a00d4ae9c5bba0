package dev.cerrojo.explorer.serial;

import java.util.List;

/**
 * What the oracle says of a run.
 *
 * @param kind the answer
 * @param order the serial order that ends alike; of an anomaly, the one that ends least differently. Only sessions that
 *     committed something; empty when there is none
 * @param differences how an anomaly differs from that order
 */
public record SerialJudgement(Kind kind, List<Integer> order, List<Difference> differences) {
    /** The answers. */
    public enum Kind {
        /** Some serial order of what was committed ends alike. */
        SERIAL,
        /** None does. */
        ANOMALOUS,
        /** There are too many serial orders to run them all, and none of those that were run ends alike. */
        UNDECIDED
    }

    /** Copies the lists. */
    public SerialJudgement {
        order = List.copyOf(order);
        differences = List.copyOf(differences);
    }

    /** {@return whether no serial order ends alike} */
    public boolean isAnomalous() {
        return kind == Kind.ANOMALOUS;
    }
}

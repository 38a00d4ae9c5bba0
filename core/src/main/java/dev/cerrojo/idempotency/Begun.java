package dev.cerrojo.idempotency;

/**
 * What came of beginning.
 *
 * @param <R> what is kept of the work
 */
public sealed interface Begun<R> {
    /**
     * The work is to be done.
     *
     * @param claim held, and to be settled or closed
     */
    record Ours<R>(Claim<R> claim) implements Begun<R> {}

    /**
     * The work was done before.
     *
     * @param result what was kept of it
     */
    record Before<R>(R result) implements Begun<R> {}
}

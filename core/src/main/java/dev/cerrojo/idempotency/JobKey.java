package dev.cerrojo.idempotency;

/**
 * What makes two jobs the same one. It travels with the job, and has business meaning: a random one, made by whoever enqueues, is a
 * new one when enqueueing is tried again.
 *
 * @param operation what the job does, such as {@code send-invoice}; 1 to 255 characters
 * @param key what it is about, such as {@code invoice/2026-17}; 1 to 255 characters
 */
public record JobKey(String operation, String key) {
    /** Checks the parts. */
    public JobKey {
        Names.require("operation", operation);
        Names.require("key", key);
    }

    /** {@return a key} */
    public static JobKey of(String operation, String key) {
        return new JobKey(operation, key);
    }
}

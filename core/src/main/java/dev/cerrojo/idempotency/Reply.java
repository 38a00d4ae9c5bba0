package dev.cerrojo.idempotency;

/**
 * What a request is answered.
 *
 * @param replayed whether it was done before, and this is the answer of that time
 */
public record Reply(StoredResponse response, boolean replayed) {}

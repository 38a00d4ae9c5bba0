package dev.cerrojo.idempotency;

import java.time.Duration;

/**
 * A claim whose time is over, of work that is not settled.
 *
 * @param key as text, its parts divided by slashes
 * @param claim by which it can be settled
 * @param number how many claims there were
 * @param since for how long its time has been over
 */
public record StuckClaim(String key, ClaimToken claim, int number, Duration since) {}

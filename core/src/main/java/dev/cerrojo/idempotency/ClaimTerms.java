package dev.cerrojo.idempotency;

import java.time.Duration;

/**
 * What a claim is to be.
 *
 * @param claimFor how long it is held without being renewed
 * @param retention for how long what comes of it is kept
 * @param takeover what is done about one whose holder gave no sign of life
 */
public record ClaimTerms(Duration claimFor, Duration retention, Takeover takeover) {
    static ClaimTerms of(IdempotencySettings settings) {
        return new ClaimTerms(settings.claimFor(), settings.retention(), settings.takeover());
    }
}

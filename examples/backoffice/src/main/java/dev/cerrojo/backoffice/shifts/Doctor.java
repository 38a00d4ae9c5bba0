package dev.cerrojo.backoffice.shifts;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A doctor of a shift.
 *
 * @param active whether on call
 * @param expiresAt from when on clean-up takes the doctor off; null for never
 */
public record Doctor(
        String doctor, boolean active, @Nullable Instant expiresAt) {}

package dev.cerrojo.idempotency;

import java.util.Objects;

/** What the parts of keys may be. */
final class Names {
    private static final int LONGEST = 255;

    private Names() {}

    /** Text of 1 to 255 characters, none of which is NUL; PostgreSQL and Redis keep it as it is. */
    static void require(String what, String value) {
        Objects.requireNonNull(value, what);
        if (value.isEmpty() || value.length() > LONGEST || value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "%s must have 1 to %d characters, none of them NUL, but was %s: shorten it, or use a hash of it"
                            .formatted(
                                    what,
                                    LONGEST,
                                    value.length() > LONGEST
                                            ? value.length() + " characters long"
                                            : '"' + value + '"'));
        }
    }
}

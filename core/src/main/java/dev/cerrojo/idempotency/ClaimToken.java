package dev.cerrojo.idempotency;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Tells one claim from each other one: whoever settles or renews shows it.
 *
 * @param hex 32 hexadecimal digits in lower case: 128 random bits
 */
public record ClaimToken(String hex) {
    private static final int BYTES = 16;
    private static final Pattern HEX = Pattern.compile("[0-9a-f]{32}");
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Checks the digits. */
    public ClaimToken {
        if (!HEX.matcher(Objects.requireNonNull(hex)).matches()) {
            throw new IllegalArgumentException(
                    "a claim token must be 32 hexadecimal digits in lower case, but was \"%s\"".formatted(hex));
        }
    }

    /** {@return a new one} */
    public static ClaimToken random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new ClaimToken(HexFormat.of().formatHex(bytes));
    }
}

package dev.cerrojo.backoffice.security;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.Objects;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * A password that the service made: 128 random bits. Nobody can guess it, so it is hashed with little work, and each request
 * can carry it.
 *
 * @param text what its user keeps
 */
public record Password(String text) {
    private static final int BYTES = 16;
    private static final int LEAST_WORK = 4;
    private static final SecureRandom RANDOM = new SecureRandom();

    static final PasswordEncoder ENCODER = new BCryptPasswordEncoder(LEAST_WORK);

    /** {@return a new one} */
    public static Password generate() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new Password(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /** {@return what the database keeps} */
    public String hash() {
        return Objects.requireNonNull(ENCODER.encode(text));
    }

    /** Tells nothing. */
    @Override
    public String toString() {
        return "a password";
    }
}

package dev.cerrojo.explorer.report;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * One thing that was examined, for machines: a test case, and a finding when it did not pass.
 *
 * @param file the file, as it was named
 * @param line where in the file it stands, from 1
 * @param name what was examined, unique in the file
 * @param result what came of it
 * @param message that in a sentence, without line feeds
 * @param detail the schedule that shows it, several lines; may be empty
 * @param elapsed how long it took
 */
public record ReportCase(
        String file, int line, String name, Result result, String message, String detail, Duration elapsed) {
    private static final int FINGERPRINT_BYTES = 16;

    /** Checks that nothing is missing. */
    public ReportCase {
        Objects.requireNonNull(file);
        Objects.requireNonNull(name);
        Objects.requireNonNull(result);
        Objects.requireNonNull(message);
        Objects.requireNonNull(detail);
        Objects.requireNonNull(elapsed);
        line = Math.max(1, line);
    }

    /** What came of it. */
    public enum Result {
        /** It holds, or is as expected. */
        PASSED("passed", "It holds."),
        /** A schedule violates an invariant. */
        VIOLATED("invariant-violated", "An order of statements violates an invariant."),
        /** Something else was found than the file expects. */
        UNEXPECTED("expectation-not-met", "Something else was found than the file expects."),
        /** It could not be decided. */
        INCONCLUSIVE("inconclusive", "Not every order of statements could be run, so nothing is said."),
        /** It could not be examined. */
        FAILED("failed", "The file or the environment did not allow it to be examined.");

        private final String rule;
        private final String description;

        Result(String rule, String description) {
            this.rule = rule;
            this.description = description;
        }

        /** {@return what machines call it: {@code invariant-violated}} */
        public String rule() {
            return rule;
        }

        String description() {
            return description;
        }
    }

    /** {@return whether it is a finding} */
    public boolean isFinding() {
        return result != Result.PASSED;
    }

    /**
     * {@return a word that stays the same as long as the same is found in the same place: neither lines nor schedules nor counts
     * are in it}
     */
    public String fingerprint() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] hash = digest.digest(
                    String.join("\0", List.of(result.rule(), file, name)).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, FINGERPRINT_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}

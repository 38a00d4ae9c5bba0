package dev.cerrojo.explorer.scenario;

/**
 * A mistake in a scenario file.
 *
 * @param file how the file was named
 * @param at where it is; an empty path means the file itself
 * @param message what is wrong, the value, and what is allowed
 */
public record Problem(String file, Position at, String message) {
    /** The problem as one line: {@code FILE:LINE: path: message}; a line or path that is not known is left out. */
    @Override
    public String toString() {
        return file
                + (at.line() > 0 ? ":" + at.line() : "")
                + ": "
                + (at.path().isEmpty() ? "" : at.path() + ": ")
                + message;
    }
}

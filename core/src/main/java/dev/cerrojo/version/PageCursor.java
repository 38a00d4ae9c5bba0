package dev.cerrojo.version;

/**
 * Where a page of a history ends. What comes after it does not shift when something new is added to the history.
 *
 * @param before the number of the last one on the page; what comes next is older
 */
public record PageCursor(long before) {
    /** The newest one comes first. */
    static final PageCursor START = new PageCursor(Long.MAX_VALUE);

    /** Checks the number. */
    public PageCursor {
        if (before < 1) {
            throw new IllegalArgumentException("a cursor must be a number from 1, but was " + before);
        }
    }

    /**
     * {@return the cursor that a text is, as a client sends it back}
     *
     * @throws IllegalArgumentException when it is none
     */
    public static PageCursor parse(String text) {
        try {
            return new PageCursor(Long.parseLong(text));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "a cursor must be what a page gave as its next, a number from 1, but was \"" + text + "\"", e);
        }
    }

    /** {@return it as a text for {@link #parse}} */
    @Override
    public String toString() {
        return Long.toString(before);
    }
}

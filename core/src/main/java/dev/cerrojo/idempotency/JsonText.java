package dev.cerrojo.idempotency;

/** How strings are written in JSON. */
final class JsonText {
    /** What follows a backslash. */
    static final String ESCAPES = "\"\\/bfnrt";

    /** What that stands for, in the same order. */
    static final String ESCAPED = "\"\\/\b\f\n\r\t";

    private JsonText() {}

    /** {@return the string in quotes, with no more escapes than there must be} */
    static String quoted(String string) {
        StringBuilder quoted = new StringBuilder("\"");
        string.chars().forEach(c -> append(quoted, (char) c));
        return quoted.append('"').toString();
    }

    private static void append(StringBuilder quoted, char c) {
        int which = ESCAPED.indexOf(c);
        if (which >= 0 && c != '/') {
            quoted.append('\\').append(ESCAPES.charAt(which));
        } else if (c < ' ') {
            quoted.append("\\u%04x".formatted((int) c));
        } else {
            quoted.append(c);
        }
    }

    /** {@return whether each surrogate has its other half} */
    static boolean isUnicode(CharSequence text) {
        return text.codePoints()
                .noneMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    }
}

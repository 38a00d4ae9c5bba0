package dev.cerrojo.version;

import java.util.List;
import java.util.stream.Collectors;

/** Writes a key of several values as PostgreSQL writes {@code jsonb_build_array(…)::text}: {@code [7, "de"]}. */
final class KeyText {
    private static final String ESCAPED = "\"\\\b\f\n\r\t";
    private static final String LETTERS = "\"\\bfnrt";

    private KeyText() {}

    static String of(List<?> values) {
        return values.stream().map(KeyText::element).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String element(Object value) {
        return value instanceof Number || value instanceof Boolean ? value.toString() : '"' + text(value) + '"';
    }

    private static String text(Object value) {
        return value.toString().chars().mapToObj(c -> escaped((char) c)).collect(Collectors.joining());
    }

    private static String escaped(char c) {
        int known = ESCAPED.indexOf(c);
        if (known >= 0) {
            return "\\" + LETTERS.charAt(known);
        }
        return c < ' ' ? "\\u%04x".formatted((int) c) : String.valueOf(c);
    }
}

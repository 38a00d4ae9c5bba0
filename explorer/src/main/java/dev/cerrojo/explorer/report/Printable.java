package dev.cerrojo.explorer.report;

import java.util.stream.Collectors;

/** Text from files and databases, made harmless for a terminal: nothing in it moves the cursor or turns the direction. */
final class Printable {
    private Printable() {}

    /** {@return the text on one line, with control characters written out: a line feed as {@code \n}} */
    static String of(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(c -> append(safe, c));
        return safe.toString();
    }

    /** {@return the same for a text of several lines: their common indentation and the blank lines around go} */
    static String lines(String text) {
        return text.replace("\t", "    ")
                .stripIndent()
                .strip()
                .lines()
                .map(Printable::of)
                .collect(Collectors.joining("\n"));
    }

    private static void append(StringBuilder safe, int c) {
        switch (c) {
            case '\n' -> safe.append("\\n");
            case '\r' -> safe.append("\\r");
            case '\t' -> safe.append("\\t");
            default -> {
                if (isHarmless(c)) {
                    safe.appendCodePoint(c);
                } else {
                    safe.append(String.format("\\u%04x", c));
                }
            }
        }
    }

    private static boolean isHarmless(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.FORMAT -> c == 0x200D || c == 0x200C;
            default -> true;
        };
    }
}

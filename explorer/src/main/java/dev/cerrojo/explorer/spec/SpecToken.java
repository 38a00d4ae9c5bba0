package dev.cerrojo.explorer.spec;

/**
 * A word of a specification.
 *
 * @param kind what it is
 * @param text its text, without quotes or braces
 * @param line where it begins, from 1
 */
record SpecToken(Kind kind, String text, int line) {
    enum Kind {
        KEYWORD,
        NAME,
        SQL,
        NUMBER,
        SIGN,
        END
    }

    boolean is(Kind wanted, String word) {
        return kind == wanted && text.equals(word);
    }

    /** {@return what a message calls it} */
    String shown() {
        return switch (kind) {
            case KEYWORD, NUMBER -> text;
            case NAME -> "\"" + text + "\"";
            case SQL -> "a block { … }";
            case SIGN -> "'" + text + "'";
            case END -> "the end of the file";
        };
    }
}

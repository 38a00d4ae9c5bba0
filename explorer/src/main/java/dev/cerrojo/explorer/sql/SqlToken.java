package dev.cerrojo.explorer.sql;

/**
 * A piece of SQL text.
 *
 * @param kind what it is
 * @param text as written, quotes and the colon of a variable included
 * @param start where it begins in the SQL, from 0
 */
public record SqlToken(Kind kind, String text, int start) {
    /** What a piece of SQL is. */
    public enum Kind {
        /** A keyword or an identifier without quotes. */
        WORD,
        /** An identifier in double quotes. */
        QUOTED_IDENTIFIER,
        /** A text in single quotes (with its prefix, as in {@code E'…'}) or in dollar quotes. */
        STRING,
        /** A number. */
        NUMBER,
        /** Operator characters that stand together, {@code ::}, {@code :=} or a single colon. */
        OPERATOR,
        /** {@code (} or {@code [}. */
        OPEN,
        /** {@code )} or {@code ]}. */
        CLOSE,
        /** A comma, a semicolon, a dot, or anything that is none of the other kinds. */
        PUNCTUATION,
        /** {@code :name}. */
        VARIABLE,
        /** A comment of either form. */
        COMMENT
    }

    /** {@return where it ends: the offset behind its last character} */
    public int end() {
        return start + text.length();
    }

    /**
     * Tells whether this is a given keyword, in any case.
     *
     * @param keyword the keyword
     * @return false for a quoted identifier
     */
    public boolean isWord(String keyword) {
        return kind == Kind.WORD && text.equalsIgnoreCase(keyword);
    }

    /** {@return whether this is punctuation, an operator or a parenthesis that reads so} */
    boolean isSign(String sign) {
        return switch (kind) {
            case OPERATOR, OPEN, CLOSE, PUNCTUATION -> text.equals(sign);
            default -> false;
        };
    }
}

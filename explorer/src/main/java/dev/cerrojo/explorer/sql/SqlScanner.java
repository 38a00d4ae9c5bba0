package dev.cerrojo.explorer.sql;

import dev.cerrojo.explorer.sql.SqlToken.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts SQL into tokens by the lexical rules of PostgreSQL, with {@code :name} as a variable.
 *
 * <p>Source: PostgreSQL documentation, chapter "Lexical Structure". Not covered: a string in {@code E'…'} that goes on
 * behind a line break ({@code E'a' ↵ 'b'}) is read as two strings, the second without escapes.
 */
final class SqlScanner {
    private static final String OPERATOR_CHARACTERS = "+-*/<>=~!@#%^&|`?";

    private final String sql;
    private final List<SqlToken> tokens = new ArrayList<>();
    private int at;

    private SqlScanner(String sql) {
        this.sql = sql;
    }

    /**
     * Cuts SQL into tokens.
     *
     * @throws IllegalArgumentException when a quote or a comment does not end
     */
    static List<SqlToken> scan(String sql) {
        SqlScanner scanner = new SqlScanner(sql);
        while (scanner.at < sql.length()) {
            scanner.next();
        }
        return List.copyOf(scanner.tokens);
    }

    private void next() {
        char c = sql.charAt(at);
        if (Character.isWhitespace(c)) {
            at++;
        } else if (sql.startsWith("--", at)) {
            add(Kind.COMMENT, endOfLine());
        } else if (sql.startsWith("/*", at)) {
            add(Kind.COMMENT, endOfBlockComment());
        } else if (startsWord(c)) {
            wordOrPrefixedString();
        } else if (c == '\'') {
            add(Kind.STRING, endOfQuoted(at, '\'', false));
        } else if (c == '"') {
            add(Kind.QUOTED_IDENTIFIER, endOfQuoted(at, '"', false));
        } else if (c == '$') {
            dollarQuoted();
        } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
            add(Kind.NUMBER, endOfNumber());
        } else if (c == ':') {
            colon();
        } else {
            sign(c);
        }
    }

    private void add(Kind kind, int end) {
        tokens.add(new SqlToken(kind, sql.substring(at, end), at));
        at = end;
    }

    private char peek(int ahead) {
        return at + ahead < sql.length() ? sql.charAt(at + ahead) : '\0';
    }

    private int endOfLine() {
        int end = at;
        while (end < sql.length() && sql.charAt(end) != '\n' && sql.charAt(end) != '\r') {
            end++;
        }
        return end;
    }

    private int endOfBlockComment() {
        int depth = 0;
        int i = at;
        do {
            if (sql.startsWith("/*", i)) {
                depth++;
                i += 2;
            } else if (sql.startsWith("*/", i)) {
                depth--;
                i += 2;
            } else if (i++ >= sql.length()) {
                throw unterminated("comment");
            }
        } while (depth > 0);
        return i;
    }

    private void wordOrPrefixedString() {
        int end = at + 1;
        while (end < sql.length() && continuesWord(sql.charAt(end))) {
            end++;
        }
        String word = sql.substring(at, end);
        char quote = end < sql.length() ? sql.charAt(end) : '\0';
        if (quote == '\'' && word.length() == 1 && "eEbBxXnN".contains(word)) {
            add(Kind.STRING, endOfQuoted(end, '\'', word.equalsIgnoreCase("e")));
        } else if (word.equalsIgnoreCase("u") && quote == '&' && end + 1 < sql.length()) {
            unicodeOrWord(end);
        } else {
            add(Kind.WORD, end);
        }
    }

    private void unicodeOrWord(int ampersand) {
        char quote = sql.charAt(ampersand + 1);
        if (quote == '\'' || quote == '"') {
            Kind kind = quote == '"' ? Kind.QUOTED_IDENTIFIER : Kind.STRING;
            add(kind, endOfQuoted(ampersand + 1, quote, false));
        } else {
            add(Kind.WORD, ampersand);
        }
    }

    private int endOfQuoted(int open, char quote, boolean backslashEscapes) {
        for (int i = open + 1; i < sql.length(); i++) {
            char c = sql.charAt(i);
            if (c == '\\' && backslashEscapes) {
                i++;
            } else if (c == quote && i + 1 < sql.length() && sql.charAt(i + 1) == quote) {
                i++;
            } else if (c == quote) {
                return i + 1;
            }
        }
        throw unterminated(quote == '"' ? "quoted identifier" : "string");
    }

    /** A dollar quote, or {@code $1} and a lonely dollar as punctuation. */
    private void dollarQuoted() {
        int tagEnd = at + 1;
        if (tagEnd < sql.length() && startsWord(sql.charAt(tagEnd))) {
            while (tagEnd < sql.length() && continuesWord(sql.charAt(tagEnd)) && sql.charAt(tagEnd) != '$') {
                tagEnd++;
            }
        }
        if (tagEnd >= sql.length() || sql.charAt(tagEnd) != '$') {
            add(Kind.PUNCTUATION, at + 1);
            return;
        }
        String tag = sql.substring(at, tagEnd + 1);
        int close = sql.indexOf(tag, tagEnd + 1);
        if (close < 0) {
            throw unterminated("dollar-quoted string");
        }
        add(Kind.STRING, close + tag.length());
    }

    private int endOfNumber() {
        int end = at;
        while (end < sql.length() && continuesNumber(end)) {
            end++;
        }
        return end;
    }

    /** Digits, a point, letters of {@code 0xff} and {@code 1e5}, and the sign of an exponent. */
    private boolean continuesNumber(int i) {
        char c = sql.charAt(i);
        if (c == '+' || c == '-') {
            return i > at && (sql.charAt(i - 1) | 0x20) == 'e' && !sql.startsWith("0x", at);
        }
        return c == '.' || c == '_' || isDigit(c) || isAsciiLetter(c);
    }

    private void colon() {
        if (peek(1) == ':' || peek(1) == '=') {
            add(Kind.OPERATOR, at + 2);
        } else if (peek(1) == '_' || isAsciiLetter(peek(1))) {
            int end = at + 2;
            while (end < sql.length() && (sql.charAt(end) == '_' || isAsciiLetterOrDigit(sql.charAt(end)))) {
                end++;
            }
            add(Kind.VARIABLE, end);
        } else {
            add(Kind.OPERATOR, at + 1);
        }
    }

    private void sign(char c) {
        if (c == '(' || c == '[') {
            add(Kind.OPEN, at + 1);
        } else if (c == ')' || c == ']') {
            add(Kind.CLOSE, at + 1);
        } else if (OPERATOR_CHARACTERS.indexOf(c) >= 0) {
            add(Kind.OPERATOR, endOfOperator());
        } else {
            add(Kind.PUNCTUATION, at + 1);
        }
    }

    private int endOfOperator() {
        int end = at;
        while (end < sql.length()
                && OPERATOR_CHARACTERS.indexOf(sql.charAt(end)) >= 0
                && !sql.startsWith("--", end)
                && !sql.startsWith("/*", end)) {
            end++;
        }
        return end;
    }

    private IllegalArgumentException unterminated(String what) {
        String begin = sql.substring(at, Math.min(sql.length(), at + 20)).replace('\n', ' ');
        return new IllegalArgumentException("a " + what + " does not end: it begins with " + begin);
    }

    private static boolean startsWord(char c) {
        return c == '_' || c >= 0x80 || isAsciiLetter(c);
    }

    private static boolean continuesWord(char c) {
        return startsWord(c) || c == '$' || isDigit(c);
    }

    private static boolean isAsciiLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isAsciiLetterOrDigit(char c) {
        return isAsciiLetter(c) || isDigit(c);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}

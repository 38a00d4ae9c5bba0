package dev.cerrojo.internal;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads SQL text only as far as needed to know what stands outside of quotes and comments.
 *
 * <p>Source: PostgreSQL documentation, "Lexical Structure". Nested block comments are counted; a string is read as
 * {@code standard_conforming_strings = on} does, with backslashes only after {@code E}.
 */
public final class SqlText {
    private static final Pattern TOKEN = Pattern.compile("""
            (?<comment>--[^\\r\\n]*|/\\*)\
            |(?<quoted>[eE]'[^'\\\\]*+(?:(?:''|\\\\.)[^'\\\\]*+)*+'|'[^']*+(?:''[^']*+)*+'|"[^"]*+(?:""[^"]*+)*+")\
            |(?<open>[eE]?'|")\
            |(?<dollar>\\$(?:[\\p{L}_][\\p{L}\\p{Nd}_]*)?\\$)\
            |(?<number>\\d[\\p{L}\\p{Nd}_.]*)\
            |(?<word>[\\p{L}_][\\p{L}\\p{Nd}_$]*)\
            |(?<variable>:[\\p{L}_][\\p{L}\\p{Nd}_]*)\
            |(?<symbol>::|\\S)\
            |(?<space>\\s+)""", Pattern.DOTALL);
    private static final Set<String> SUB_QUERY_WORDS = Set.of("select", "table");

    private final String text;
    private final StringBuilder outside = new StringBuilder();
    private boolean terminated = true;

    private SqlText(String text) {
        this.text = text;
    }

    /** {@return what is wrong with the text as one expression, in words; empty when nothing is seen to be} */
    public static Optional<String> problemOfExpression(String text) {
        SqlText sql = new SqlText(text);
        String outside = sql.readOutside();
        if (outside.isBlank()) {
            return Optional.of("is empty");
        }
        if (!sql.terminated) {
            return Optional.of("has a quote or comment that does not end");
        }
        if (outside.indexOf(';') >= 0) {
            return Optional.of("has a semicolon");
        }
        return balanced(outside) ? Optional.empty() : Optional.of("has parentheses that do not match");
    }

    /** {@return what is wrong with the text as one query, in words; empty when nothing is seen to be} */
    public static Optional<String> problemOfQuery(String text) {
        return problemOfExpression(withoutTrailingSemicolon(text));
    }

    /** {@return the text without blanks and semicolons at its end} */
    public static String withoutTrailingSemicolon(String text) {
        SqlText sql = new SqlText(text);
        String outside = sql.readOutside();
        int end = outside.length();
        while (end > 0 && (outside.charAt(end - 1) == ';' || Character.isWhitespace(outside.charAt(end - 1)))) {
            end--;
        }
        // A comment after the last semicolon goes with it.
        return outside.indexOf(';', end) < 0
                ? text.strip()
                : text.substring(0, end).strip();
    }

    /** {@return the text with a blank for each character of a comment, and {@code "} for each of a quoted thing} */
    public static String outside(String text) {
        return new SqlText(text).readOutside();
    }

    /** {@return whether the text has a sub-query: SELECT, or TABLE, as a word outside of quotes and comments} */
    public static boolean hasSubQuery(String text) {
        String outside = new SqlText(text).readOutside().toLowerCase(Locale.ROOT);
        Matcher word = Pattern.compile("[\\p{L}_][\\p{L}\\p{Nd}_$]*").matcher(outside);
        return word.results().map(MatchResult::group).anyMatch(SUB_QUERY_WORDS::contains);
    }

    /** {@return the names in the text, as PostgreSQL reads them: each word outside of strings and comments, but no cast's} */
    public static Set<String> names(String text) {
        Set<String> names = new LinkedHashSet<>();
        AtomicReference<String> before = new AtomicReference<>("");
        new SqlText(text).read((token, kind) -> {
            if (!token.isBlank() && !before.getAndSet(token).equals("::")) {
                nameIn(token, kind).ifPresent(names::add);
            }
        });
        return names;
    }

    private static Optional<String> nameIn(String token, Kind kind) {
        if (kind == Kind.QUOTED && token.length() > 1 && token.startsWith("\"")) {
            return Optional.of(SqlName.unquoted(token.substring(1, token.length() - 1)));
        }
        return kind == Kind.OTHER && (Character.isLetter(token.codePointAt(0)) || token.startsWith("_"))
                ? Optional.of(SqlName.lower(token))
                : Optional.empty();
    }

    /** {@return the text in parentheses, which a comment at its end does not swallow} */
    public static String parenthesized(String text) {
        return '(' + text.strip() + (text.contains("--") ? "\n)" : ")");
    }

    /** {@return the text with each {@code :name} outside of quotes and comments replaced} */
    public static String replaceVariables(String text, UnaryOperator<String> replacement) {
        StringBuilder result = new StringBuilder();
        new SqlText(text)
                .read((token, kind) ->
                        result.append(kind == Kind.VARIABLE ? replacement.apply(token.substring(1)) : token));
        return result.toString();
    }

    /** {@return the text with each question mark outside of quotes and comments doubled, as JDBC wants an operator's} */
    static String escapedForJdbc(String text) {
        StringBuilder result = new StringBuilder();
        new SqlText(text).read((token, kind) -> result.append(kind == Kind.OTHER ? token.replace("?", "??") : token));
        return result.toString();
    }

    /** {@return the text with each line but the first moved to the right, except inside of quotes} */
    public static String indented(String text, int columns) {
        StringBuilder result = new StringBuilder();
        String lineBreak = "\n" + " ".repeat(columns);
        new SqlText(text)
                .read((token, kind) -> result.append(kind == Kind.QUOTED ? token : token.replace("\n", lineBreak)));
        return result.toString();
    }

    private static boolean balanced(String outside) {
        int depth = 0;
        for (int i = 0; i < outside.length() && depth >= 0; i++) {
            depth += outside.charAt(i) == '(' ? 1 : outside.charAt(i) == ')' ? -1 : 0;
        }
        return depth == 0;
    }

    private String readOutside() {
        read((token, kind) -> outside.append(
                switch (kind) {
                    case COMMENT -> " ".repeat(token.length());
                    case QUOTED -> "\"".repeat(token.length());
                    case VARIABLE, OTHER -> token;
                }));
        return outside.toString();
    }

    private void read(Sink sink) {
        Matcher token = TOKEN.matcher(text);
        int at = 0;
        while (at < text.length() && token.region(at, text.length()).lookingAt()) {
            int end = endOf(token);
            sink.accept(text.substring(at, end), kindOf(token));
            at = end;
        }
    }

    private static Kind kindOf(Matcher token) {
        if (token.group("comment") != null) {
            return Kind.COMMENT;
        }
        if (token.group("quoted") != null || token.group("dollar") != null) {
            return Kind.QUOTED;
        }
        return token.group("variable") != null ? Kind.VARIABLE : Kind.OTHER;
    }

    private int endOf(Matcher token) {
        String read = token.group();
        if (token.group("dollar") != null) {
            return endOrUnterminated(text.indexOf(read, token.end()), read.length());
        }
        if (read.equals("/*")) {
            return endOfBlockComment(token.end());
        }
        terminated &= token.group("open") == null;
        return token.end();
    }

    private int endOfBlockComment(int start) {
        Matcher edge = Pattern.compile("/\\*|\\*/").matcher(text);
        int depth = 1;
        int at = start;
        while (depth > 0 && edge.find(at)) {
            depth += edge.group().equals("/*") ? 1 : -1;
            at = edge.end();
        }
        return depth == 0 ? at : endOrUnterminated(-1, 0);
    }

    private int endOrUnterminated(int found, int length) {
        terminated &= found >= 0;
        return found >= 0 ? found + length : text.length();
    }

    private enum Kind {
        COMMENT,
        QUOTED,
        VARIABLE,
        OTHER
    }

    private interface Sink {
        void accept(String token, Kind kind);
    }
}

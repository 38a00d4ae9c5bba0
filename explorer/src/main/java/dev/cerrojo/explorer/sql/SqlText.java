package dev.cerrojo.explorer.sql;

import dev.cerrojo.explorer.sql.SqlToken.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * SQL as its tokens, for the few questions that are answered from text. It is no parser: where a question has an unsafe
 * answer, it gives the safe one when in doubt.
 *
 * @param sql the text
 * @param tokens its tokens in order, comments left out
 */
public record SqlText(String sql, List<SqlToken> tokens) {
    private static final Set<String> SYNTAX = words("""
        select where and or not is null true false unknown isnull notnull in any all some exists between symmetric
        asymmetric like ilike similar to escape case when then else end as cast row array values coalesce nullif
        greatest least distinct\
        """);

    private static final Set<String> TYPES = words("""
        int integer int2 int4 int8 smallint bigint numeric decimal real float4 float8 float double precision boolean
        bool text varchar char character varying uuid json jsonb bytea date time timestamp timestamptz timetz
        interval\
        """);

    /** Texts that mean the current time when they are cast to a date or time. */
    private static final Pattern CLOCK = Pattern.compile("(?i)\\b(now|today|tomorrow|yesterday)\\b");

    /** Copies the tokens. */
    public SqlText {
        tokens = List.copyOf(tokens);
    }

    /**
     * Cuts SQL into tokens.
     *
     * @param sql one or more statements
     * @return the text and its tokens
     * @throws IllegalArgumentException when a quote or a comment does not end
     */
    public static SqlText of(String sql) {
        return new SqlText(
                sql,
                SqlScanner.scan(sql).stream()
                        .filter(token -> token.kind() != Kind.COMMENT)
                        .toList());
    }

    /**
     * Finds the first of some keywords that stands outside of all parentheses and brackets.
     *
     * @param keywords the keywords, in any case
     * @return the token, or nothing when none of them is there
     */
    public Optional<SqlToken> topLevel(String... keywords) {
        List<String> wanted = List.of(keywords);
        return topLevelTokens().stream()
                .filter(token -> wanted.stream().anyMatch(token::isWord))
                .findFirst();
    }

    /** {@return the tokens outside of all parentheses and brackets; these themselves are left out} */
    public List<SqlToken> topLevelTokens() {
        List<SqlToken> found = new java.util.ArrayList<>();
        int depth = 0;
        for (SqlToken token : tokens) {
            if (token.kind() == Kind.OPEN) {
                depth++;
            } else if (token.kind() == Kind.CLOSE) {
                depth--;
            } else if (depth == 0) {
                found.add(token);
            }
        }
        return found;
    }

    /**
     * Tells whether a keyword stands anywhere, also inside of parentheses.
     *
     * @param keyword the keyword, in any case
     * @return false when it is only part of a string, a comment or a quoted identifier
     */
    public boolean has(String keyword) {
        return tokens.stream().anyMatch(token -> token.isWord(keyword));
    }

    /** {@return the first word in upper case, such as {@code UPDATE}; empty when the text begins with something else} */
    public String firstWord() {
        return tokens.isEmpty() || tokens.get(0).kind() != Kind.WORD
                ? ""
                : tokens.get(0).text().toUpperCase(Locale.ROOT);
    }

    /**
     * Tells whether a statement computes something of its variables only, so that it gives the same answer on every
     * connection and at every time: a SELECT without tables, function calls and words that ask for the time or the user.
     *
     * @param sql the statement
     * @return false when in doubt
     */
    public static boolean isOverVariablesOnly(SqlTemplate sql) {
        SqlText text = of(sql.text());
        if (!text.firstWord().equals("SELECT")) {
            return false;
        }
        for (int i = 0; i < text.tokens.size(); i++) {
            if (!text.isPure(i)) {
                return false;
            }
        }
        return true;
    }

    private boolean isPure(int i) {
        SqlToken token = tokens.get(i);
        return switch (token.kind()) {
            case WORD -> isPureWord(i);
            case QUOTED_IDENTIFIER -> word(i - 1).equals("as") && !opens(i + 1);
            case STRING -> !CLOCK.matcher(token.text()).find();
            case PUNCTUATION -> token.text().equals(",") || (token.text().equals(";") && i == tokens.size() - 1);
            case NUMBER, OPERATOR, OPEN, CLOSE, VARIABLE, COMMENT -> true;
        };
    }

    private boolean isPureWord(int i) {
        String word = word(i);
        if (word.equals("from")) {
            return word(i - 1).equals("distinct") && Set.of("is", "not").contains(word(i - 2));
        }
        return SYNTAX.contains(word) || isType(i) || (word(i - 1).equals("as") && !opens(i + 1));
    }

    /** A type's name behind {@code ::} or {@code AS}, or as a further word of a type. */
    private boolean isType(int i) {
        int first = i;
        while (TYPES.contains(word(first))) {
            first--;
        }
        return first < i
                && first >= 0
                && (tokens.get(first).isSign("::") || word(first).equals("as"));
    }

    private String word(int i) {
        return i >= 0 && i < tokens.size() && tokens.get(i).kind() == Kind.WORD
                ? tokens.get(i).text().toLowerCase(Locale.ROOT)
                : "";
    }

    private boolean opens(int i) {
        return i < tokens.size() && tokens.get(i).isSign("(");
    }

    private static Set<String> words(String lines) {
        return Set.of(lines.strip().split("\\s+"));
    }
}

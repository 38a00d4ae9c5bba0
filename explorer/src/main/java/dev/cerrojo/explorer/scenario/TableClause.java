package dev.cerrojo.explorer.scenario;

import dev.cerrojo.explorer.sql.SqlText;
import dev.cerrojo.explorer.sql.SqlToken;
import dev.cerrojo.explorer.sql.SqlToken.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What an invariant says about a table: {@code schema.table(argument, …) where condition}.
 *
 * @param name the parts of the name, quotes kept
 * @param arguments what stands in the parentheses, cut at its commas; empty when there are none
 * @param where the condition, if any
 */
record TableClause(List<String> name, List<String> arguments, Optional<String> where) {
    /**
     * Reads a clause.
     *
     * @throws IllegalArgumentException when the text is no such clause
     */
    static TableClause parse(String text) {
        SqlText sql = SqlText.of(text);
        List<SqlToken> tokens = sql.tokens();
        List<String> name = new ArrayList<>();
        int at = 0;
        do {
            name.add(identifier(tokens, name.isEmpty() ? 0 : ++at));
            at++;
        } while (at < tokens.size() && tokens.get(at).text().equals("."));
        List<String> arguments = List.of();
        if (at < tokens.size() && tokens.get(at).text().equals("(")) {
            int close = closing(tokens, at);
            arguments =
                    split(text.substring(tokens.get(at).end(), tokens.get(close).start()));
            at = close + 1;
        }
        return new TableClause(name, arguments, where(text, tokens, at));
    }

    private static Optional<String> where(String text, List<SqlToken> tokens, int at) {
        if (at == tokens.size()) {
            return Optional.empty();
        } else if (!tokens.get(at).isWord("where") || at + 1 == tokens.size()) {
            throw new IllegalArgumentException("\"where\" and a condition, or the end, must follow "
                    + Field.quoted(text.substring(0, tokens.get(at - 1).end())));
        }
        return Optional.of(text.substring(tokens.get(at + 1).start()).strip());
    }

    private static String identifier(List<SqlToken> tokens, int at) {
        if (at < tokens.size() && isIdentifier(tokens.get(at))) {
            return tokens.get(at).text();
        }
        throw new IllegalArgumentException("a name is missing");
    }

    private static boolean isIdentifier(SqlToken token) {
        return token.kind() == Kind.WORD || token.kind() == Kind.QUOTED_IDENTIFIER;
    }

    /** {@return whether a text is one identifier and nothing else} */
    static boolean isIdentifier(String text) {
        List<SqlToken> tokens = SqlText.of(text).tokens();
        return tokens.size() == 1 && isIdentifier(tokens.get(0));
    }

    private static int closing(List<SqlToken> tokens, int open) {
        int depth = 0;
        for (int i = open; i < tokens.size(); i++) {
            depth += tokens.get(i).kind() == Kind.OPEN ? 1 : tokens.get(i).kind() == Kind.CLOSE ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        throw new IllegalArgumentException("\")\" is missing");
    }

    private static List<String> split(String arguments) {
        List<String> parts = new ArrayList<>();
        int begin = 0;
        for (SqlToken token : SqlText.of(arguments).topLevelTokens()) {
            if (token.text().equals(",")) {
                parts.add(arguments.substring(begin, token.start()).strip());
                begin = token.end();
            }
        }
        parts.add(arguments.substring(begin).strip());
        if (parts.contains("")) {
            throw new IllegalArgumentException("nothing stands between parentheses or commas");
        }
        return parts;
    }

    /** {@return the name as SQL writes it} */
    String table() {
        return String.join(".", name);
    }

    /** {@return the clause of a column: its name without the last part, which is the column} */
    TableClause withoutColumn() {
        return new TableClause(name.subList(0, name.size() - 1), arguments, where);
    }

    /** {@return the last part of the name} */
    String lastName() {
        return name.get(name.size() - 1);
    }
}

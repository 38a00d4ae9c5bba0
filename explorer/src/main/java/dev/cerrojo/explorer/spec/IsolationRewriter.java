package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.sql.SqlText;
import dev.cerrojo.explorer.sql.SqlToken;
import dev.cerrojo.tx.Isolation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Replaces the isolation levels that SQL names: in BEGIN, START TRANSACTION, SET TRANSACTION, SET SESSION CHARACTERISTICS, and
 * as the value of {@code transaction_isolation} and {@code default_transaction_isolation}. Transactions that name none run at
 * the default of their connection, which must be set too.
 */
final class IsolationRewriter {
    private final String level;

    IsolationRewriter(Isolation level) {
        this.level = level.sql().toUpperCase(Locale.ROOT);
    }

    /** {@return what makes a connection begin its transactions at a level, for the options of its URL} */
    static String option(Isolation level) {
        return " -c default_transaction_isolation=" + level.sql().replace(" ", "\\ ");
    }

    SpecSession rewrite(SpecSession session) {
        return new SpecSession(
                session.name(),
                rewrite(session.setup()),
                session.steps().stream().map(this::rewrite).toList(),
                rewrite(session.teardown()));
    }

    SpecStep rewrite(SpecStep step) {
        return new SpecStep(step.name(), rewrite(step.block()));
    }

    private Optional<SqlBlock> rewrite(Optional<SqlBlock> block) {
        return block.map(this::rewrite);
    }

    private SqlBlock rewrite(SqlBlock block) {
        return new SqlBlock(rewrite(block.sql()), block.at());
    }

    /** {@return the SQL at the level; as it is when it cannot be cut into tokens: PostgreSQL will say why} */
    String rewrite(String sql) {
        List<SqlToken> tokens;
        try {
            tokens = SqlText.of(sql).tokens();
        } catch (IllegalArgumentException e) {
            return sql;
        }
        StringBuilder text = new StringBuilder(sql);
        List<Named> named = named(tokens);
        for (int i = named.size() - 1; i >= 0; i--) {
            text.replace(named.get(i).begin(), named.get(i).end(), named.get(i).replacement());
        }
        return text.toString();
    }

    /** A level as it stands in the SQL. */
    private record Named(int begin, int end, String replacement) {}

    private List<Named> named(List<SqlToken> tokens) {
        List<Named> found = new ArrayList<>();
        for (int i = 0; i + 2 < tokens.size(); i++) {
            if (tokens.get(i).isWord("isolation") && tokens.get(i + 1).isWord("level")) {
                SqlToken last =
                        isOneWord(tokens.get(i + 2)) || i + 3 == tokens.size() ? tokens.get(i + 2) : tokens.get(i + 3);
                found.add(new Named(tokens.get(i + 2).start(), last.end(), level));
            } else if (isSetting(tokens.get(i)) && isAssigned(tokens.get(i + 1))) {
                SqlToken value = tokens.get(i + 2);
                found.add(new Named(value.start(), value.end(), "'" + level.toLowerCase(Locale.ROOT) + "'"));
            }
        }
        return found;
    }

    private static boolean isOneWord(SqlToken token) {
        return token.isWord("serializable");
    }

    private static boolean isSetting(SqlToken token) {
        return token.isWord("transaction_isolation") || token.isWord("default_transaction_isolation");
    }

    private static boolean isAssigned(SqlToken token) {
        return token.isWord("to") || token.text().equals("=");
    }
}

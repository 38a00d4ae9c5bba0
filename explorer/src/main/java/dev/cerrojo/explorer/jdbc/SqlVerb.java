package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.sql.SqlText;
import dev.cerrojo.explorer.sql.SqlToken;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What a statement means for the transaction that it runs in. */
enum SqlVerb {
    /** Begins one; takes no snapshot and is no step. */
    BEGIN,
    COMMIT,
    ROLLBACK,
    /** Cannot run in a transaction block, or may end transactions of its own: with autocommit it is one step, not two. */
    ALONE,
    /** Runs in a transaction, and takes no snapshot. */
    WITHOUT_SNAPSHOT,
    /** Runs in a transaction. */
    STATEMENT;

    private static final Set<String> CONTROL = Set.of("BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT");
    private static final Set<String> WITHOUT =
            Set.of("SET", "SHOW", "RESET", "LOCK", "SAVEPOINT", "RELEASE", "ROLLBACK");
    private static final Set<String> ALONE_ALWAYS = Set.of("VACUUM", "CALL", "DO", "CLUSTER", "REINDEX");
    private static final Set<String> ALONE_OBJECTS = Set.of("DATABASE", "TABLESPACE", "SYSTEM", "SUBSCRIPTION");

    /** {@return what some SQL means; of several statements in one text, what they mean together} */
    static SqlVerb of(String sql) {
        try {
            return of(SqlText.of(sql));
        } catch (IllegalArgumentException e) {
            // PostgreSQL will say what is wrong with it
            return STATEMENT;
        }
    }

    /** {@return whether some SQL is of several statements, of which some begin or end transactions} */
    static boolean hidesEnds(String sql) {
        try {
            List<String> firsts = firstWords(SqlText.of(sql).tokens());
            return firsts.size() > 1 && firsts.stream().anyMatch(CONTROL::contains);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static SqlVerb of(SqlText text) {
        List<String> firsts = firstWords(text.tokens());
        String first = text.firstWord();
        if (firsts.size() > 1) {
            return firsts.stream().anyMatch(word -> CONTROL.contains(word) || ALONE_ALWAYS.contains(word))
                    ? ALONE
                    : STATEMENT;
        }
        return switch (first) {
            case "BEGIN", "START" -> BEGIN;
            case "COMMIT", "END" -> COMMIT;
            case "ROLLBACK", "ABORT" -> text.has("TO") ? WITHOUT_SNAPSHOT : ROLLBACK;
            default -> isAlone(text, first) ? ALONE : WITHOUT.contains(first) ? WITHOUT_SNAPSHOT : STATEMENT;
        };
    }

    private static boolean isAlone(SqlText text, String first) {
        boolean definesAlone = Set.of("CREATE", "DROP", "ALTER").contains(first)
                && text.tokens().size() > 1
                && ALONE_OBJECTS.contains(text.tokens().get(1).text().toUpperCase(Locale.ROOT));
        return ALONE_ALWAYS.contains(first) || definesAlone || text.has("CONCURRENTLY");
    }

    private static List<String> firstWords(List<SqlToken> tokens) {
        List<String> words = new java.util.ArrayList<>();
        boolean first = true;
        for (SqlToken token : tokens) {
            boolean separator =
                    token.kind() == SqlToken.Kind.PUNCTUATION && token.text().equals(";");
            if (first && !separator) {
                words.add(token.text().toUpperCase(Locale.ROOT));
            }
            first = separator;
        }
        return words;
    }
}

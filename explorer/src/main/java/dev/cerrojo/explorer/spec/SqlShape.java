package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.sql.SqlText;
import dev.cerrojo.explorer.sql.SqlToken;
import dev.cerrojo.tx.Isolation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What the text of a block says of transactions. What is not plain is unclear, which is always safe.
 *
 * @param statements what each statement is
 * @param level the level that a BEGIN in it names
 */
record SqlShape(List<Part> statements, Optional<Isolation> level) {
    /** Statements that run without a snapshot. */
    private static final Set<String> WITHOUT_SNAPSHOT = Set.of("LOCK", "SET", "SHOW", "RESET");

    enum Part {
        BEGIN,
        COMMIT,
        ROLLBACK,
        /** Any other statement about transactions, or one that cannot be told from one. */
        UNCLEAR,
        /** A statement that takes no snapshot. */
        SETTING,
        STATEMENT
    }

    static SqlShape of(String sql) {
        List<SqlToken> tokens;
        try {
            tokens = SqlText.of(sql).tokens();
        } catch (IllegalArgumentException e) {
            return new SqlShape(List.of(Part.UNCLEAR), Optional.empty());
        }
        List<Part> parts = new ArrayList<>();
        Optional<Isolation> level = Optional.empty();
        for (List<SqlToken> statement : statements(tokens)) {
            Part part = part(statement);
            parts.add(part);
            level = part == Part.BEGIN ? level(statement) : level;
        }
        return new SqlShape(List.copyOf(parts), level);
    }

    private static List<List<SqlToken>> statements(List<SqlToken> tokens) {
        List<List<SqlToken>> statements = new ArrayList<>();
        List<SqlToken> statement = new ArrayList<>();
        for (SqlToken token : tokens) {
            if (token.text().equals(";")) {
                statements.add(statement);
                statement = new ArrayList<>();
            } else {
                statement.add(token);
            }
        }
        statements.add(statement);
        statements.removeIf(List::isEmpty);
        return statements;
    }

    private static Part part(List<SqlToken> statement) {
        String second = statement.size() > 1 ? word(statement.get(1)) : "";
        return switch (word(statement.get(0))) {
            case "BEGIN" -> Part.BEGIN;
            case "START" -> second.equals("TRANSACTION") ? Part.BEGIN : Part.STATEMENT;
            case "COMMIT", "END" -> isPlainEnd(statement) ? Part.COMMIT : Part.UNCLEAR;
            case "ROLLBACK", "ABORT" -> isPlainEnd(statement) ? Part.ROLLBACK : Part.UNCLEAR;
            case "PREPARE" -> second.equals("TRANSACTION") ? Part.UNCLEAR : Part.STATEMENT;
            case "SAVEPOINT", "RELEASE", "CALL", "DO", "CREATE" -> Part.UNCLEAR;
            default -> WITHOUT_SNAPSHOT.contains(word(statement.get(0))) ? Part.SETTING : Part.STATEMENT;
        };
    }

    /** COMMIT, COMMIT WORK, COMMIT TRANSACTION. */
    private static boolean isPlainEnd(List<SqlToken> statement) {
        return statement.size() == 1
                || (statement.size() == 2 && Set.of("WORK", "TRANSACTION").contains(word(statement.get(1))));
    }

    private static Optional<Isolation> level(List<SqlToken> begin) {
        for (int i = 0; i + 2 < begin.size(); i++) {
            if (word(begin.get(i)).equals("ISOLATION") && word(begin.get(i + 1)).equals("LEVEL")) {
                return Optional.of(
                        switch (word(begin.get(i + 2))) {
                            case "READ" -> Isolation.READ_COMMITTED;
                            case "REPEATABLE" -> Isolation.REPEATABLE_READ;
                            default -> Isolation.SERIALIZABLE;
                        });
            }
        }
        return Optional.empty();
    }

    private static String word(SqlToken token) {
        return token.kind() == SqlToken.Kind.WORD ? token.text().toUpperCase(Locale.ROOT) : "";
    }

    /** {@return whether it is one statement, and that one} */
    boolean isOnly(Part part) {
        return statements.equals(List.of(part));
    }

    /** {@return whether it neither begins nor ends a transaction} */
    boolean isInsideTransaction() {
        return statements.stream().allMatch(part -> part == Part.STATEMENT || part == Part.SETTING);
    }

    /** {@return whether it begins a transaction and stays in it} */
    boolean opensTransaction() {
        return !statements.isEmpty()
                && statements.get(0) == Part.BEGIN
                && statements.stream().skip(1).allMatch(part -> part == Part.STATEMENT || part == Part.SETTING);
    }

    /** {@return whether it ends by a COMMIT} */
    boolean commits() {
        return statements.contains(Part.COMMIT);
    }

    /** {@return whether it may take the snapshot of its transaction} */
    boolean takesSnapshot() {
        return statements.stream().anyMatch(part -> part == Part.STATEMENT || part == Part.UNCLEAR);
    }
}

package dev.cerrojo.explorer.scenario;

import dev.cerrojo.explorer.sql.SqlTemplate;
import dev.cerrojo.explorer.sql.SqlText;
import dev.cerrojo.explorer.sql.SqlToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads steps. */
final class StepReader {
    private static final List<String> KINDS = List.of("read", "check", "write", "commit");
    private static final List<String> KEYS = List.of("read", "check", "write", "commit", "else", "autonomous");
    private static final Set<String> TRANSACTION_CONTROL =
            Set.of("BEGIN", "START", "COMMIT", "END", "ABORT", "ROLLBACK", "PREPARE");

    private StepReader() {}

    /** {@return the steps of a list that must not be empty; one that cannot be read keeps its place as a commit} */
    static List<Step> steps(Field list) {
        List<Step> steps = new ArrayList<>();
        for (Field entry : list.someItems()) {
            steps.add(step(entry).orElseGet(() -> new Step.Commit(entry.at())));
        }
        return steps;
    }

    /** {@return one step, if it can be read} */
    static Optional<Step> step(Field entry) {
        if (!entry.isMap()) {
            entry.problem("must be a step such as \"read: SELECT …\", but was " + entry.what());
            return Optional.empty();
        }
        return entry.keys(KEYS).flatMap(StepReader::step);
    }

    private static Optional<Step> step(Keys keys) {
        List<String> kinds = keys.among(KINDS);
        if (kinds.size() != 1) {
            keys.problem("must have one of read, check, write, commit, but had "
                    + (kinds.isEmpty() ? "none" : String.join(" and ", kinds)));
            return Optional.empty();
        }
        String kind = kinds.get(0);
        if (keys.has("else") && !kind.equals("check")) {
            keys.refuse("else", "only a check has \"else\", and this is a " + kind);
        }
        Field value = keys.find(kind).orElseThrow();
        return kind.equals("commit") ? commit(keys, value) : statement(keys, kind, value);
    }

    private static Optional<Step> commit(Keys keys, Field value) {
        if (keys.has("autonomous")) {
            keys.refuse("autonomous", "a commit cannot be autonomous");
        }
        Optional<Boolean> commits = value.truth();
        if (commits.isPresent() && !commits.get()) {
            value.problem("must be true: leave the step out for no commit");
        }
        return commits.map(ignored -> new Step.Commit(value.at()));
    }

    private static Optional<Step> statement(Keys keys, String kind, Field value) {
        boolean autonomous = keys.find("autonomous").flatMap(Field::truth).orElse(false);
        Optional<String> refusal = keys.find("else").flatMap(Field::word);
        return sql(value).map(sql -> switch (kind) {
            case "read" -> new Step.Read(sql, autonomous, value.at());
            case "write" -> new Step.Write(sql, autonomous, value.at());
            default -> new Step.Check(sql, refusal, autonomous, value.at());
        });
    }

    private static Optional<SqlTemplate> sql(Field value) {
        Optional<String> text = value.text().map(String::strip);
        try {
            text.map(SqlText::of).flatMap(StepReader::objection).ifPresent(value::problem);
            return text.map(SqlTemplate::parse);
        } catch (IllegalArgumentException e) {
            value.problem(unterminated(value, e));
            return Optional.empty();
        }
    }

    /** {@return why SQL could not be cut into tokens, with what YAML may have to do with it} */
    static String unterminated(Field value, IllegalArgumentException e) {
        String hint = value.isPlainText()
                ? "; in YAML \" #\" begins a comment: quote SQL that contains it, or write it as a block with |"
                : "";
        return "is no SQL: " + e.getMessage() + hint;
    }

    private static Optional<String> objection(SqlText sql) {
        String first = sql.firstWord();
        boolean toSavepoint = first.equals("ROLLBACK") && sql.topLevel("TO").isPresent();
        if (sql.tokens().isEmpty()) {
            return Optional.of("must be an SQL statement, but has only comments");
        } else if (first.isEmpty() && !sql.tokens().get(0).text().equals("(")) {
            return Optional.of("must be an SQL statement such as SELECT :n > 0, but was " + Field.quoted(sql.sql()));
        } else if (TRANSACTION_CONTROL.contains(first) && !toSavepoint && !isPreparedStatement(sql)) {
            return Optional.of("must not control the transaction by SQL, but was " + Field.quoted(sql.sql())
                    + ": a transaction begins by itself, and ends behind its last step or with \"commit: true\"");
        } else if (hasSeveralStatements(sql)) {
            return Optional.of("must be one statement, but was several: make each a step of its own");
        }
        return Optional.empty();
    }

    private static boolean isPreparedStatement(SqlText sql) {
        return sql.firstWord().equals("PREPARE")
                && sql.tokens().size() > 1
                && !sql.tokens().get(1).isWord("TRANSACTION");
    }

    private static boolean hasSeveralStatements(SqlText sql) {
        List<SqlToken> tokens = sql.topLevelTokens();
        boolean atomicBody = sql.topLevel("ATOMIC").isPresent();
        boolean inside = tokens.stream()
                .limit(Math.max(0, tokens.size() - 1))
                .anyMatch(token -> token.text().equals(";"));
        return inside && !atomicBody;
    }
}

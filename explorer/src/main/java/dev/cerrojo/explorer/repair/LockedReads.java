package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.repair.Blueprint.NotBuildable;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.sql.SqlTemplate;
import dev.cerrojo.explorer.sql.SqlText;
import dev.cerrojo.explorer.sql.SqlToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Locks the rows that a transaction reads: {@code FOR UPDATE} in each of its reads; under an aggregate in a sub-query. */
final class LockedReads {
    private static final String[] NOT_PLAIN = {
        "GROUP", "HAVING", "DISTINCT", "UNION", "INTERSECT", "EXCEPT", "LIMIT", "OFFSET", "WINDOW", "JOIN", "FETCH"
    };

    private LockedReads() {}

    static TransactionSpec lock(TransactionSpec transaction) throws NotBuildable {
        List<Step> steps = new ArrayList<>();
        boolean any = false;
        for (Step step : transaction.steps()) {
            Optional<String> locked = step instanceof Step.Read read && !read.autonomous()
                    ? locked(read.sql().text().strip())
                    : Optional.empty();
            any |= locked.isPresent();
            steps.add(locked.<Step>map(sql -> new Step.Read(SqlTemplate.parse(sql), false, Steps.at("lock-read-rows")))
                    .orElse(step));
        }
        if (!any) {
            throw new NotBuildable(transaction.name() + " has no read whose rows can be locked");
        }
        return transaction.withSteps(steps);
    }

    private static Optional<String> locked(String sql) {
        SqlText text = SqlText.of(sql);
        Optional<SqlToken> from = text.topLevel("FROM");
        if (!text.firstWord().equals("SELECT")
                || from.isEmpty()
                || text.topLevel("FOR").isPresent()) {
            return Optional.empty();
        }
        if (text.topLevel(NOT_PLAIN).isPresent()) {
            return Optional.empty();
        }
        String list = sql.substring(0, from.orElseThrow().start());
        if (!isAggregate(list)) {
            return Optional.of(sql + " FOR UPDATE");
        }
        int order = text.topLevel("ORDER").map(SqlToken::start).orElse(sql.length());
        String source = sql.substring(from.orElseThrow().end(), order).strip();
        return alias(text, from.orElseThrow())
                .map(alias -> list + "FROM (SELECT * FROM " + source + " FOR UPDATE) AS " + alias);
    }

    private static boolean isAggregate(String list) {
        SqlText text = SqlText.of(list);
        return List.of("count", "sum", "min", "max", "avg", "bool_and", "bool_or", "every", "array_agg", "string_agg")
                .stream()
                .anyMatch(text::has);
    }

    /** The name by which the one table of a FROM is known in the rest of the query; none when there are more tables. */
    private static Optional<String> alias(SqlText text, SqlToken from) {
        List<SqlToken> names = new ArrayList<>();
        for (SqlToken token : text.topLevelTokens()) {
            if (token.start() < from.end() || token.isWord("AS")) {
                continue;
            }
            if (token.isWord("WHERE") || token.isWord("ORDER")) {
                break;
            }
            if (token.text().equals(",")) {
                return Optional.empty();
            }
            names.add(token);
        }
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(names.get(names.size() - 1).text());
    }
}

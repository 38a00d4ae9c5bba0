package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.repair.Blueprint.NotBuildable;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.sql.SqlTemplate;
import dev.cerrojo.explorer.sql.SqlText;
import dev.cerrojo.explorer.sql.SqlToken;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Folds the checks of a transaction into its first write: {@code UPDATE … WHERE … AND (SELECT count(*) …) > 1}. The read's
 * variables become sub-queries. It works on text, and gives up where the text is not plain.
 */
final class FoldedCheck {
    private static final String NAME = "folded-check";

    private FoldedCheck() {}

    static TransactionSpec fold(TransactionSpec transaction) throws NotBuildable {
        int target = Steps.firstWrite(transaction);
        if (target == transaction.steps().size()) {
            throw new NotBuildable(transaction.name() + " writes nothing");
        }
        Map<String, String> reads = new HashMap<>();
        List<String> conditions = new ArrayList<>();
        Optional<String> refusal = Optional.empty();
        List<Step> kept = new ArrayList<>();
        for (Step step : transaction.steps().subList(0, target)) {
            if (step instanceof Step.Read read && isPlainSelect(read)) {
                kept.add(read);
                addVariables(transaction, read, reads);
            } else if (step instanceof Step.Check check) {
                conditions.add("(" + condition(check, reads) + ")");
                refusal = refusal.or(() -> Optional.of(check.refusalName()));
            } else {
                throw new NotBuildable(
                        transaction.name() + " does more than plain reads and checks before its first write");
            }
        }
        if (conditions.isEmpty()) {
            throw new NotBuildable(transaction.name() + " checks nothing before its first write");
        }
        Step.Statement write = (Step.Statement) transaction.steps().get(target);
        List<Step> rest = new ArrayList<>();
        rest.add(Steps.write(NAME, withCondition(transaction, write, String.join(" AND ", conditions))));
        rest.add(Steps.check(NAME, "SELECT :rowcount > 0", refusal.orElse("refused")));
        rest.addAll(transaction.steps().subList(target + 1, transaction.steps().size()));
        kept.removeIf(step -> !isUsed((Step.Read) step, rest));
        kept.addAll(rest);
        return transaction.withSteps(kept);
    }

    private static boolean isPlainSelect(Step.Read read) {
        SqlText text = SqlText.of(read.sql().text());
        return text.firstWord().equals("SELECT") && text.topLevel("FOR").isEmpty() && !read.autonomous();
    }

    /** Each column of a read becomes a sub-query; a column's name is what follows AS, or the column itself. */
    private static void addVariables(TransactionSpec transaction, Step.Read read, Map<String, String> reads)
            throws NotBuildable {
        for (String name : columns(read.sql())) {
            reads.put(
                    name,
                    "(SELECT cerrojo_read." + name + " FROM (" + expand(read.sql(), reads) + ") AS cerrojo_read)");
        }
        if (columns(read.sql()).isEmpty()) {
            throw new NotBuildable("the columns of \"" + read.sql().text().strip() + "\" in " + transaction.name()
                    + " have no plain names");
        }
    }

    private static Set<String> columns(SqlTemplate sql) {
        SqlText text = SqlText.of(sql.text());
        int end = text.topLevel("FROM").map(SqlToken::start).orElse(sql.text().length());
        Set<String> names = new java.util.LinkedHashSet<>();
        @Nullable SqlToken last = null;
        for (SqlToken token : text.topLevelTokens()) {
            if (token.start() >= end || token.text().equals(",")) {
                addName(names, last);
            }
            if (token.start() >= end) {
                return names;
            }
            last = token;
        }
        addName(names, last);
        return names;
    }

    private static void addName(Set<String> names, @Nullable SqlToken token) {
        if (token != null && token.kind() == SqlToken.Kind.WORD) {
            names.add(token.text().toLowerCase(java.util.Locale.ROOT));
        }
    }

    private static String condition(Step.Check check, Map<String, String> reads) throws NotBuildable {
        SqlText text = SqlText.of(check.sql().text());
        if (!text.firstWord().equals("SELECT")) {
            throw new NotBuildable("the check \"" + check.sql().text().strip() + "\" is no plain SELECT");
        }
        String expanded = expand(check.sql(), reads);
        return Steps.isComputed(check)
                ? expanded.strip().substring("SELECT".length()).strip()
                : "(" + expanded + ")";
    }

    private static String expand(SqlTemplate sql, Map<String, String> reads) {
        StringBuilder expanded = new StringBuilder();
        int done = 0;
        for (SqlToken token : SqlText.of(sql.text()).tokens()) {
            String read = token.kind() == SqlToken.Kind.VARIABLE
                    ? reads.get(token.text().substring(1))
                    : null;
            if (read != null) {
                expanded.append(sql.text(), done, token.start()).append(read);
                done = token.end();
            }
        }
        return expanded.append(sql.text().substring(done)).toString().strip();
    }

    private static String withCondition(TransactionSpec transaction, Step.Statement write, String condition)
            throws NotBuildable {
        String sql = write.sql().text().strip();
        SqlText text = SqlText.of(sql);
        int end = text.topLevel("RETURNING").map(SqlToken::start).orElse(sql.length());
        switch (text.firstWord()) {
            case "UPDATE", "DELETE" -> {
                Optional<SqlToken> where = text.topLevel("WHERE");
                return where.isPresent()
                        ? sql.substring(0, where.orElseThrow().end()) + " ("
                                + sql.substring(where.orElseThrow().end(), end).strip() + ") AND " + condition + " "
                                + sql.substring(end)
                        : sql.substring(0, end).strip() + " WHERE " + condition + " " + sql.substring(end);
            }
            case "INSERT" -> {
                return insertWithCondition(transaction, text, condition);
            }
            default ->
                throw new NotBuildable("the first write of " + transaction.name() + " is a " + text.firstWord()
                        + ", which has no WHERE");
        }
    }

    private static String insertWithCondition(TransactionSpec transaction, SqlText text, String condition)
            throws NotBuildable {
        SqlToken values = text.topLevel("VALUES")
                .orElseThrow(() -> new NotBuildable("the INSERT of " + transaction.name() + " has no VALUES"));
        int depth = 0;
        int open = -1;
        for (SqlToken token : text.tokens()) {
            if (token.start() < values.end()) {
                continue;
            }
            if (token.kind() == SqlToken.Kind.OPEN && depth++ == 0) {
                open = token.end();
            }
            if (token.kind() == SqlToken.Kind.CLOSE && --depth == 0) {
                String after = text.sql().substring(token.end()).strip();
                if (after.startsWith(",")) {
                    break;
                }
                return text.sql().substring(0, values.start()) + "SELECT "
                        + text.sql().substring(open, token.start()) + " WHERE " + condition + " " + after;
            }
        }
        throw new NotBuildable("the INSERT of " + transaction.name() + " has more than one row of VALUES");
    }

    private static boolean isUsed(Step.Read read, List<Step> later) {
        Set<String> names = columns(read.sql());
        return later.stream()
                .filter(Step.Statement.class::isInstance)
                .flatMap(step -> ((Step.Statement) step).sql().variables().stream())
                .collect(Collectors.toSet())
                .stream()
                .anyMatch(names::contains);
    }
}

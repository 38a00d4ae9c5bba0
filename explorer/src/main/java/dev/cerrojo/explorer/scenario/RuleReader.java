package dev.cerrojo.explorer.scenario;

import dev.cerrojo.explorer.sql.SqlText;
import dev.cerrojo.explorer.sql.SqlToken;
import dev.cerrojo.explorer.sql.SqlToken.Kind;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the rule of an invariant: which of the rule keys is there, and its grammar. */
final class RuleReader {
    private static final List<String> BOUNDS = List.of("at_least", "at_most", "sum_at_least", "sum_at_most");
    private static final List<String> RULES =
            List.of("at_least", "at_most", "sum_at_least", "sum_at_most", "unique", "no_overlap", "violated_by");

    private static final String SUB_QUERY =
            "contains a sub-query, so it is not known which changes can violate the rule: list the tables it reads"
                    + " under \"watches\", such as [on_call(shift_id)]";

    private final Keys keys;
    private final Scope scope;

    /** Conditions with sub-queries, which an invariant does not take, by the word that stands for each. */
    private final Map<String, String> setAside = new LinkedHashMap<>();

    RuleReader(Keys keys, Scope scope) {
        this.keys = keys;
        this.scope = scope;
    }

    /** {@return the invariant, if its rule can be read} */
    Optional<Invariant> invariant(String name, String says) {
        Optional<String> where =
                keys.find("where").flatMap(value -> condition(value).flatMap(text -> oneRow(value, text)));
        return rule().map(rule -> new Invariant(name, says, scope, where, rule)).map(this::watched);
    }

    /** A counting rule with watches becomes its own query of violating rows: only such a rule can watch other tables. */
    private Invariant watched(Invariant invariant) {
        if (!keys.has("watches") || !(invariant.rule() instanceof Rule.Counting counting)) {
            return invariant;
        }
        String sql = invariant.violationSql();
        for (Map.Entry<String, String> condition : setAside.entrySet()) {
            sql = sql.replace(condition.getKey(), "(" + condition.getValue() + "\n)");
        }
        Rule rule = new Rule.ViolatedBy(sql, withOwnTables(watches(), counting.of()));
        return new Invariant(invariant.name(), invariant.says(), scope, Optional.empty(), rule);
    }

    private List<Rule.Watch> withOwnTables(List<Rule.Watch> watches, Rule.Rows counted) {
        Map<String, Rule.Watch> all = new LinkedHashMap<>();
        watches.forEach(watch -> all.put(watch.table(), watch));
        all.putIfAbsent(counted.table(), new Rule.Watch(counted.table(), counted.scopeColumn()));
        if (scope instanceof Scope.Table table) {
            all.putIfAbsent(table.table(), new Rule.Watch(table.table(), Optional.of(table.key())));
        }
        return List.copyOf(all.values());
    }

    private Optional<Rule> rule() {
        List<String> rules = keys.among(RULES);
        if (rules.size() != 1) {
            keys.problem("must have one of " + String.join(", ", RULES) + ", but had "
                    + (rules.isEmpty() ? "none" : String.join(" and ", rules)));
            return Optional.empty();
        }
        String rule = rules.get(0);
        if (keys.has("of") && !BOUNDS.contains(rule)) {
            keys.refuse("of", "only " + String.join(", ", BOUNDS) + " have \"of\", and this is " + rule);
        }
        if (keys.has("watches") && List.of("unique", "no_overlap").contains(rule)) {
            keys.refuse("watches", rule + " reads its own table only: leave it out");
        }
        Field value = keys.find(rule).orElseThrow();
        return switch (rule) {
            case "unique" -> unique(value);
            case "no_overlap" -> noOverlap(value);
            case "violated_by" -> InvariantReader.query(value).map(sql -> new Rule.ViolatedBy(sql, watches()));
            case "at_least", "at_most" -> count(value, rule);
            default -> sum(value, rule);
        };
    }

    private Optional<Rule> count(Field value, String rule) {
        boolean least = rule.equals("at_least");
        Optional<Long> bound = value.wholeNumber(least ? 1 : 0, Long.MAX_VALUE);
        Optional<Rule.Rows> rows = of(countForm()).flatMap(clause -> rows(clause, countForm()));
        return bound.flatMap(limit -> rows.map(of -> least ? new Rule.AtLeast(limit, of) : new Rule.AtMost(limit, of)));
    }

    private Optional<Rule> sum(Field value, String rule) {
        var bound = value.decimal();
        Optional<TableClause> clause = of(sumForm());
        if (clause.isPresent() && clause.get().name().size() < 2) {
            ofProblem(sumForm());
            return Optional.empty();
        }
        Optional<Rule.Rows> rows = clause.map(TableClause::withoutColumn).flatMap(table -> rows(table, sumForm()));
        return bound.flatMap(limit -> rows.map(of -> {
            String column = clause.orElseThrow().lastName();
            return rule.equals("sum_at_least")
                    ? new Rule.SumAtLeast(limit, column, of)
                    : new Rule.SumAtMost(limit, column, of);
        }));
    }

    private String countForm() {
        return isGlobal()
                ? "a table in global scope, such as users where active"
                : "a table and its scope column, such as on_call(shift_id) where active";
    }

    private String sumForm() {
        return isGlobal()
                ? "a table and a column in global scope, such as account.balance where active"
                : "a table, a column and its scope column, such as entry.amount(account_id) where booked";
    }

    private Optional<TableClause> of(String form) {
        return keys.need("of", form).flatMap(value -> value.text().flatMap(text -> clause(value, text, form)));
    }

    private Optional<Rule.Rows> rows(TableClause clause, String form) {
        boolean valid = clause.name().size() <= 2
                && clause.arguments().size() == (isGlobal() ? 0 : 1)
                && clause.arguments().stream().allMatch(TableClause::isIdentifier);
        if (!valid) {
            ofProblem(form);
            return Optional.empty();
        }
        Optional<String> where = clause.where().flatMap(text -> keys.find("of").flatMap(value -> oneRow(value, text)));
        return Optional.of(
                new Rule.Rows(clause.table(), clause.arguments().stream().findFirst(), where));
    }

    private void ofProblem(String form) {
        keys.find("of").ifPresent(of -> of.problem("must be " + form + ", but was " + of.what()));
    }

    private Optional<Rule> unique(Field value) {
        String form = "a table and its columns, such as voucher(code) where active";
        Optional<TableClause> clause = value.text().flatMap(text -> clause(value, text, form));
        return clause.filter(found -> accepted(value, found, form, TableClause::isIdentifier))
                .map(found -> new Rule.Unique(found.table(), found.arguments(), found.where()));
    }

    private Optional<Rule> noOverlap(Field value) {
        String form = "a table and its elements, such as booking(room WITH =, during WITH &&)";
        Optional<TableClause> clause = value.text().flatMap(text -> clause(value, text, form));
        return clause.filter(found -> accepted(
                        value, found, form, argument -> element(argument).isPresent()))
                .map(found -> new Rule.NoOverlap(
                        found.table(),
                        found.arguments().stream()
                                .flatMap(argument -> element(argument).stream())
                                .toList(),
                        found.where()));
    }

    private static boolean accepted(
            Field value, TableClause clause, String form, java.util.function.Predicate<String> argument) {
        boolean accepted = clause.name().size() <= 2
                && !clause.arguments().isEmpty()
                && clause.arguments().stream().allMatch(argument);
        if (!accepted) {
            value.problem("must be " + form + ", but was " + value.what());
        }
        return accepted;
    }

    /** {@code expression WITH operator}, the last WITH outside of parentheses. */
    private static Optional<Rule.NoOverlap.Element> element(String argument) {
        List<SqlToken> tokens = SqlText.of(argument).topLevelTokens();
        int last = tokens.size() - 1;
        boolean valid = last >= 1
                && tokens.get(last).kind() == Kind.OPERATOR
                && tokens.get(last - 1).isWord("with")
                && tokens.get(last - 1).start() > 0;
        return valid
                ? Optional.of(new Rule.NoOverlap.Element(
                        argument.substring(0, tokens.get(last - 1).start()).strip(),
                        tokens.get(last).text()))
                : Optional.empty();
    }

    /** {@return what is watched; a problem for each entry that is no table (scope expression)} */
    List<Rule.Watch> watches() {
        List<Rule.Watch> watches = new ArrayList<>();
        for (Field entry : keys.find("watches").map(Field::someItems).orElse(List.of())) {
            watch(entry).ifPresent(watches::add);
        }
        return watches;
    }

    private Optional<Rule.Watch> watch(Field entry) {
        String form = isGlobal()
                ? "a table in global scope, such as users"
                : "a table and the scope of its rows, such as on_call(shift_id)";
        Optional<String> text = entry.text();
        Optional<TableClause> clause = text.flatMap(found -> clause(entry, found, form));
        boolean valid = clause.isPresent()
                && clause.get().name().size() <= 2
                && clause.get().where().isEmpty()
                && clause.get().arguments().size() == (isGlobal() ? 0 : 1);
        if (clause.isPresent() && !valid) {
            entry.problem("must be " + form + ", but was " + entry.what());
            return Optional.empty();
        }
        return clause.map(found ->
                new Rule.Watch(found.table(), found.arguments().stream().findFirst()));
    }

    /** A condition over one row; one with a sub-query only when it is declared what to watch. */
    private Optional<String> oneRow(Field value, String condition) {
        if (!hasSubQuery(condition) || keys.has("violated_by")) {
            return Optional.of(condition);
        } else if (!keys.has("watches")) {
            value.problem(SUB_QUERY);
            return Optional.empty();
        }
        String word = "cerrojo_condition_" + setAside.size();
        setAside.put(word, condition);
        return Optional.of(word);
    }

    /** {@return an SQL condition; its quotes must end} */
    static Optional<String> condition(Field value) {
        return value.text().map(String::strip).flatMap(text -> {
            try {
                SqlText.of(text);
                return Optional.of(text);
            } catch (IllegalArgumentException e) {
                value.problem(StepReader.unterminated(value, e));
                return Optional.empty();
            }
        });
    }

    static Optional<TableClause> clause(Field value, String text, String form) {
        try {
            return Optional.of(TableClause.parse(text));
        } catch (IllegalArgumentException e) {
            value.problem("must be " + form + ", but was " + Field.quoted(text) + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    static boolean hasSubQuery(String condition) {
        SqlText text = SqlText.of(condition);
        return text.has("SELECT") || text.has("TABLE") || text.has("VALUES");
    }

    private boolean isGlobal() {
        return scope instanceof Scope.Global;
    }
}

package dev.cerrojo.explorer.scenario;

import dev.cerrojo.explorer.sql.SqlText;
import dev.cerrojo.explorer.sql.SqlToken;
import dev.cerrojo.explorer.sql.SqlToken.Kind;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the rule of an invariant: which of the rule keys is there, and its grammar. */
final class RuleReader {
    private static final List<String> BOUNDS = List.of("at_least", "at_most", "sum_at_least", "sum_at_most");
    private static final List<String> RULES = List.of(
            "at_least", "at_most", "sum_at_least", "sum_at_most", "unique", "no_overlap", "violated_by");

    private static final String SUB_QUERY =
            "contains a sub-query, so it is not known which changes can violate the rule: list the tables it reads under"
                    + " \"watches\", such as [on_call(shift_id)]";

    private final Keys keys;
    private final Scope scope;

    RuleReader(Keys keys, Scope scope) {
        this.keys = keys;
        this.scope = scope;
    }

    Optional<Rule> rule() {
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
        if (keys.has("where") && !BOUNDS.contains(rule)) {
            keys.refuse("where", "write the condition into " + rule + " itself");
        }
        if (keys.has("watches") && List.of("unique", "no_overlap").contains(rule)) {
            keys.refuse("watches", rule + " reads its own table only; write a rule over others as violated_by");
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
        return bound.flatMap(
                limit -> rows.map(of -> least ? new Rule.AtLeast(limit, of) : new Rule.AtMost(limit, of)));
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
        int scopeColumns = isGlobal() ? 0 : 1;
        boolean valid = clause.name().size() <= 2
                && clause.arguments().size() == scopeColumns
                && clause.arguments().stream().allMatch(TableClause::isIdentifier);
        if (!valid) {
            ofProblem(form);
            return Optional.empty();
        }
        return Optional.of(new Rule.Rows(
                clause.table(), clause.arguments().stream().findFirst(), known("of", clause.where())));
    }

    private void ofProblem(String form) {
        keys.find("of").ifPresent(of -> of.problem("must be " + form + ", but was " + of.what()));
    }

    private Optional<Rule> unique(Field value) {
        String form = "a table and its columns, such as voucher(code) where active";
        Optional<TableClause> clause = value.text().flatMap(text -> clause(value, text, form));
        return clause.filter(found -> accepted(value, found, form, TableClause::isIdentifier))
                .map(found ->
                        new Rule.Unique(found.table(), found.arguments(), ownRow(value, found.where())));
    }

    private Optional<Rule> noOverlap(Field value) {
        String form = "a table and its elements, such as booking(room WITH =, during WITH &&)";
        Optional<TableClause> clause = value.text().flatMap(text -> clause(value, text, form));
        return clause.filter(found ->
                        accepted(value, found, form, argument -> element(argument).isPresent()))
                .map(found -> new Rule.NoOverlap(
                        found.table(),
                        found.arguments().stream()
                                .flatMap(argument -> element(argument).stream())
                                .toList(),
                        ownRow(value, found.where())));
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

    /** The tables that a rule names by itself. */
    static List<Rule.Watch> ownTables(Invariant invariant) {
        List<Rule.Watch> own = new ArrayList<>();
        Rule rule = invariant.rule();
        if (rule instanceof Rule.AtLeast atLeast) {
            own.add(watch(atLeast.of()));
        } else if (rule instanceof Rule.AtMost atMost) {
            own.add(watch(atMost.of()));
        } else if (rule instanceof Rule.SumAtLeast sum) {
            own.add(watch(sum.of()));
        } else if (rule instanceof Rule.SumAtMost sum) {
            own.add(watch(sum.of()));
        }
        if (invariant.scope() instanceof Scope.Table table) {
            own.add(new Rule.Watch(table.table(), Optional.of(table.key())));
        }
        return own;
    }

    private static Rule.Watch watch(Rule.Rows rows) {
        return new Rule.Watch(rows.table(), rows.scopeColumn());
    }

    /** A condition, which may have a sub-query only when it is known what to watch. */
    private Optional<String> known(String key, Optional<String> where) {
        if (where.isPresent() && !keys.has("watches") && hasSubQuery(where.get())) {
            keys.find(key).ifPresent(value -> value.problem(SUB_QUERY));
        }
        return where;
    }

    /** A condition of a native constraint, which PostgreSQL allows no sub-query. */
    private static Optional<String> ownRow(Field value, Optional<String> where) {
        if (where.isPresent() && hasSubQuery(where.get())) {
            value.problem("must have no sub-query in its condition; write a rule over other rows as violated_by");
        }
        return where;
    }

    /** {@return the condition on scope rows, if any} */
    Optional<String> where() {
        Optional<String> where = keys.find("where").flatMap(RuleReader::condition);
        if (where.isPresent() && isGlobal()) {
            keys.refuse("where", "says which scope rows the rule applies to, but the scope is global: write the"
                    + " condition behind \"of\"");
        }
        return known("where", where);
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

package dev.cerrojo.explorer.scenario;

import dev.cerrojo.explorer.sql.SqlText;
import dev.cerrojo.invariant.InvalidInvariantException;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads {@code invariant} and {@code invariants}. */
final class InvariantReader {
    private static final String DEFAULT_NAME = "invariant";
    private static final List<String> KEYS = List.of(
            "name",
            "says",
            "scope",
            "where",
            "at_least",
            "at_most",
            "sum_at_least",
            "sum_at_most",
            "of",
            "unique",
            "no_overlap",
            "violated_by",
            "watches");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,39}");

    /** What a contract may have beside invariants, or instead of them. */
    private static final List<String> OTHER_PARTS = List.of("ownership");

    private InvariantReader() {}

    /** {@return the invariants of a contract, which must have some, or something else} */
    static List<Invariant> someInvariants(Keys root) {
        if (!root.has("invariant")
                && !root.has("invariants")
                && root.among(OTHER_PARTS).isEmpty()) {
            root.problem("\"invariant\" is missing: what must hold when every session is done");
        }
        return invariants(root);
    }

    /** {@return the invariants of a file; none when it declares none} */
    static List<Invariant> invariants(Keys root) {
        if (root.has("invariant") && root.has("invariants")) {
            root.refuse("invariants", "only one of \"invariant\" and \"invariants\" is allowed, but both are there");
        }
        List<Invariant> found = new ArrayList<>(root.find("invariant")
                .flatMap(InvariantReader::invariant)
                .map(List::of)
                .orElse(List.of()));
        root.find("invariants").flatMap(Field::named).ifPresent(named -> found.addAll(all(named)));
        return found;
    }

    private static List<Invariant> all(Keys named) {
        if (named.names().isEmpty()) {
            named.problem("must not be empty");
        }
        List<Invariant> found = new ArrayList<>();
        for (String name : named.names()) {
            if (!NAME.matcher(name).matches()) {
                named.refuse(name, badName(name));
            }
            named.find(name).flatMap(value -> invariant(value, name)).ifPresent(found::add);
        }
        return found;
    }

    /** {@return what stands under {@code invariant}} */
    static Optional<Invariant> invariant(Field value) {
        return invariant(value, DEFAULT_NAME);
    }

    private static Optional<Invariant> invariant(Field value, String name) {
        try {
            return value.isMap()
                    ? value.keys(KEYS).flatMap(keys -> declared(keys, name))
                    : query(value).map(sql -> plain(name, sql));
        } catch (InvalidInvariantException e) {
            value.problem(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private static Invariant plain(String name, String sql) {
        return new Invariant(name, "", Scope.global(), Optional.empty(), new Rule.ViolatedBy(sql, List.of()));
    }

    /** {@return the SQL of violating rows} */
    static Optional<String> query(Field value) {
        return value.text().map(String::strip).flatMap(sql -> {
            try {
                String first = SqlText.of(sql).firstWord();
                if (List.of("SELECT", "WITH", "VALUES", "TABLE").contains(first) || sql.startsWith("(")) {
                    return Optional.of(sql);
                }
                value.problem("must be a query that returns the violating rows, but was " + Field.quoted(sql));
            } catch (IllegalArgumentException e) {
                value.problem(StepReader.unterminated(value, e));
            }
            return Optional.empty();
        });
    }

    private static Optional<Invariant> declared(Keys keys, String defaultName) {
        String name = name(keys, defaultName);
        String says = keys.find("says").flatMap(Field::word).orElse("");
        Optional<Scope> scope =
                keys.has("scope") ? keys.find("scope").flatMap(InvariantReader::scope) : Optional.of(Scope.global());
        return scope.flatMap(known -> new RuleReader(keys, known).invariant(name, says));
    }

    private static String name(Keys keys, String defaultName) {
        Optional<Field> field = keys.find("name");
        Optional<String> name = field.flatMap(Field::word);
        if (name.isPresent() && !NAME.matcher(name.get()).matches()) {
            field.orElseThrow().problem(badName(name.get()));
        } else if (name.isPresent() && !defaultName.equals(DEFAULT_NAME) && !defaultName.equals(name.get())) {
            field.orElseThrow().problem("must be the key " + Field.quoted(defaultName) + ", or be left out");
        }
        return name.orElse(defaultName);
    }

    private static String badName(String name) {
        return "a name must be a letter, then letters, digits and _, at most 40, but was " + Field.quoted(name);
    }

    private static Optional<Scope> scope(Field value) {
        return value.text().flatMap(text -> {
            if (text.strip().equalsIgnoreCase("global")) {
                return Optional.of(Scope.global());
            }
            Optional<TableClause> clause =
                    RuleReader.clause(value, text, "a table and its key such as shift(id), or global");
            if (clause.isPresent() && !isTableAndKey(clause.get())) {
                value.problem(
                        "must be a table and its key such as shift(id), or global, but was " + Field.quoted(text));
                return Optional.empty();
            }
            return clause.map(
                    table -> Scope.table(table.table(), table.arguments().get(0)));
        });
    }

    private static boolean isTableAndKey(TableClause clause) {
        return clause.name().size() <= 2
                && clause.where().isEmpty()
                && clause.arguments().size() == 1
                && TableClause.isIdentifier(clause.arguments().get(0));
    }
}

package dev.cerrojo.guard;

import dev.cerrojo.internal.Fingerprint;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.SqlName;
import dev.cerrojo.internal.SqlText;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An invariant as a constraint of PostgreSQL's own: a unique index, or an exclusion constraint, named like the
 * invariant. Right at every isolation level; it adds no round trip and takes no other lock than the index does.
 *
 * <p>It refuses with SQLSTATE 23505 (unique) or 23P01 (exclusion). A unique index checks each row at once; with
 * {@link GuardOptions#deferred()} an exclusion constraint stands for it, which waits for COMMIT, but which
 * {@code ON CONFLICT} cannot name. An exclusion constraint with {@code =} on a scalar needs the extension
 * {@code btree_gist}; the first statement creates it, which needs the right to.
 *
 * <p>{@link Rule.AtMost} with bound 1 is a unique index on the scope column, which also counts rows whose scope row does
 * not exist.
 */
public final class NativeConstraint implements Guard {
    static final String EXTENSION = "btree_gist";

    static final String CREATE_EXTENSION = "CREATE EXTENSION IF NOT EXISTS " + EXTENSION;

    private final Invariant invariant;
    private final GuardOptions options;
    private final SqlName table;
    private final List<Rule.NoOverlap.Element> elements;
    private final Optional<String> where;
    private final boolean unique;

    private NativeConstraint(
            Invariant invariant,
            GuardOptions options,
            String table,
            List<Rule.NoOverlap.Element> elements,
            Optional<String> where,
            boolean unique) {
        this.invariant = invariant;
        this.options = options;
        this.table = SqlName.parse(table).orElseThrow().in(options.schema());
        SystemSchemas.refuse(invariant, List.of(this.table));
        this.elements = elements;
        this.where = where;
        this.unique = unique;
    }

    /** {@return whether the rule is one that PostgreSQL enforces by itself} */
    public static boolean isPossible(Invariant invariant) {
        return invariant.rule() instanceof Rule.Unique
                || invariant.rule() instanceof Rule.NoOverlap
                || (invariant.rule() instanceof Rule.AtMost atMost
                        && atMost.bound() == 1
                        && invariant.where().isEmpty());
    }

    /**
     * {@return the constraint}
     *
     * @throws GuardNotPossibleException when the rule is none that PostgreSQL enforces by itself
     */
    public static NativeConstraint of(Invariant invariant, GuardOptions options) {
        if (!isPossible(invariant)) {
            throw new GuardNotPossibleException(
                    "invariant %s is no rule that PostgreSQL enforces by itself (unique, no_overlap, at_most: 1 without a condition on its scope): use TriggerGuard"
                            .formatted(invariant.name()));
        }
        if (invariant.rule() instanceof Rule.NoOverlap rule) {
            return new NativeConstraint(invariant, options, rule.table(), rule.elements(), rule.where(), false);
        } else if (invariant.rule() instanceof Rule.Unique rule) {
            return new NativeConstraint(invariant, options, rule.table(), equal(rule.columns()), rule.where(), true);
        }
        Rule.Rows of = ((Rule.AtMost) invariant.rule()).of();
        List<String> scope = List.of(of.scopeColumn().orElse("true"));
        return new NativeConstraint(invariant, options, of.table(), equal(scope), of.where(), true);
    }

    private static List<Rule.NoOverlap.Element> equal(List<String> columns) {
        return columns.stream()
                .map(column -> new Rule.NoOverlap.Element(column, "="))
                .toList();
    }

    @Override
    public Invariant invariant() {
        return invariant;
    }

    @Override
    public List<String> installStatements() {
        List<String> statements = new ArrayList<>();
        if (!unique && elements.stream().anyMatch(element -> element.operator().equals("="))) {
            statements.add(CREATE_EXTENSION);
        }
        statements.add(preflight().forConstraint());
        statements.add(isIndex() ? createIndex() : addConstraint());
        statements.add(Scripts.comment(
                isIndex() ? "INDEX " + indexName() : "CONSTRAINT " + name() + " ON " + table.sql(),
                invariant,
                fingerprint()));
        return statements;
    }

    /** {@return what tells this definition from another, whatever the options} */
    String fingerprint() {
        return Fingerprint.of(List.of(Boolean.toString(unique), table.name(), elements.toString(), where.orElse("")));
    }

    String table() {
        return table.sql();
    }

    boolean deferred() {
        return options.deferred();
    }

    boolean isPartial() {
        return where.isPresent();
    }

    /** {@return all names that its definition has, those of its columns among them} */
    Set<String> names() {
        Set<String> names = new HashSet<>();
        elements.forEach(element -> names.addAll(SqlText.names(element.expression())));
        where.ifPresent(text -> names.addAll(SqlText.names(text)));
        return names;
    }

    int elementCount() {
        return elements.size();
    }

    GuardOptions options() {
        return options;
    }

    Preflight preflight() {
        return new Preflight(invariant, options, List.of(table));
    }

    private boolean isIndex() {
        return unique && !options.deferred();
    }

    private String createIndex() {
        return "CREATE UNIQUE INDEX %s ON %s (%s)%s"
                .formatted(
                        name(),
                        table.sql(),
                        elements.stream()
                                .map(element -> indexed(element.expression()))
                                .collect(Collectors.joining(", ")),
                        where.map(text -> " WHERE " + SqlText.parenthesized(text))
                                .orElse(""));
    }

    private String addConstraint() {
        return "ALTER TABLE %s ADD CONSTRAINT %s EXCLUDE USING %s (%s)%s%s"
                .formatted(
                        table.sql(),
                        name(),
                        unique ? "btree" : "gist",
                        elements.stream()
                                .map(element -> indexed(element.expression()) + " WITH " + element.operator())
                                .collect(Collectors.joining(", ")),
                        where.map(text -> " WHERE " + SqlText.parenthesized(text))
                                .orElse(""),
                        options.deferred() ? " DEFERRABLE INITIALLY DEFERRED" : "");
    }

    private static String indexed(String expression) {
        return SqlName.parse(expression)
                .filter(name -> name.schema().isEmpty() && !expression.equals("true"))
                .map(SqlName::sql)
                .orElseGet(() -> SqlText.parenthesized(expression));
    }

    @Override
    public List<String> dropStatements() {
        // Both, since with other options it is the other one.
        return List.of(
                "ALTER TABLE IF EXISTS %s DROP CONSTRAINT IF EXISTS %s".formatted(table.sql(), name()),
                "DROP INDEX IF EXISTS " + indexName());
    }

    private String name() {
        return Identifiers.quote(invariant.name());
    }

    private String indexName() {
        return Identifiers.quote(table.schema().orElseThrow()) + '.' + name();
    }
}

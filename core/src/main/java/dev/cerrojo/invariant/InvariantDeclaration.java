package dev.cerrojo.invariant;

import dev.cerrojo.invariant.Rule.NoOverlap.Element;
import dev.cerrojo.invariant.Rule.Rows;
import dev.cerrojo.invariant.Rule.Watch;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * What is said so far of an invariant; naming its rule ends it.
 *
 * <p>Immutable: each method returns another one. Begin with {@link Invariant#named}.
 */
public final class InvariantDeclaration {
    private final String name;
    private final String says;
    private final Scope scope;
    private final Optional<String> where;

    InvariantDeclaration(String name, String says, Scope scope, Optional<String> where) {
        this.name = name;
        this.says = says;
        this.scope = scope;
        this.where = where;
    }

    /** {@return the same with the rule in words, which the errors then say} */
    public InvariantDeclaration says(String words) {
        return new InvariantDeclaration(name, words, scope, where);
    }

    /**
     * {@return the same with one instance per row of a table}
     *
     * @throws InvalidInvariantException when either is not a name
     */
    public InvariantDeclaration per(String table, String key) {
        return new InvariantDeclaration(name, says, Scope.table(table, key), where);
    }

    /** {@return the same for those scope rows only that meet an SQL condition over the scope table} */
    public InvariantDeclaration where(String condition) {
        return new InvariantDeclaration(name, says, scope, Optional.of(condition));
    }

    /**
     * {@return the invariant that each scope has at least so many of the rows}
     *
     * @param bound 1 or more
     * @throws InvalidInvariantException when the parts do not fit together
     */
    public Invariant atLeast(long bound, Rows of) {
        return rule(new Rule.AtLeast(bound, of));
    }

    /**
     * {@return the invariant that each scope has at most so many of the rows}
     *
     * @param bound 0 or more
     * @throws InvalidInvariantException when the parts do not fit together
     */
    public Invariant atMost(long bound, Rows of) {
        return rule(new Rule.AtMost(bound, of));
    }

    /**
     * {@return the invariant that a numeric column sums to at least the bound in each scope}
     *
     * @throws InvalidInvariantException when the parts do not fit together
     */
    public Invariant sumAtLeast(BigDecimal bound, String column, Rows of) {
        return rule(new Rule.SumAtLeast(bound, column, of));
    }

    /**
     * {@return the invariant that a numeric column sums to at most the bound in each scope}
     *
     * @throws InvalidInvariantException when the parts do not fit together
     */
    public Invariant sumAtMost(BigDecimal bound, String column, Rows of) {
        return rule(new Rule.SumAtMost(bound, column, of));
    }

    /**
     * {@return the invariant that no two of the rows agree in all columns}
     *
     * @param rows without a scope column
     * @param columns at least one
     * @throws InvalidInvariantException when the parts do not fit together
     */
    public Invariant unique(Rows rows, String... columns) {
        withoutScope("unique", rows);
        return rule(new Rule.Unique(rows.table(), List.of(columns), rows.where()));
    }

    /**
     * {@return the invariant that no two of the rows agree in all elements, each compared by its own operator}
     *
     * @param rows without a scope column
     * @param elements at least one
     * @throws InvalidInvariantException when the parts do not fit together
     */
    public Invariant noOverlap(Rows rows, Element... elements) {
        withoutScope("no_overlap", rows);
        return rule(new Rule.NoOverlap(rows.table(), List.of(elements), rows.where()));
    }

    /**
     * {@return the invariant that a query returns no row}
     *
     * @param sql a query that returns the violating rows
     * @param watches the tables whose changes can violate it; without them no trigger can be made
     * @throws InvalidInvariantException when the parts do not fit together
     */
    public Invariant violatedBy(String sql, Watch... watches) {
        return rule(new Rule.ViolatedBy(sql, List.of(watches)));
    }

    private void withoutScope(String rule, Rows rows) {
        Declaration.require(
                rows.scopeColumn().isEmpty(),
                "%s of invariant %s compares rows by its columns, not by scope, but its rows name the scope column %s:"
                        + " make it one of the columns",
                rule,
                name,
                rows.scopeColumn().orElse(""));
    }

    private Invariant rule(Rule rule) {
        return new Invariant(name, says, scope, where, rule);
    }
}

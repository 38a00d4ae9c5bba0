package dev.cerrojo.invariant;

import static dev.cerrojo.invariant.Declaration.require;

import dev.cerrojo.internal.GuardRefusal;
import dev.cerrojo.internal.SqlText;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A condition on committed data, per scope.
 *
 * <pre>{@code
 * Invariant coverage = Invariant.named("on_call_coverage")
 *         .says("every active shift keeps at least one active, qualified doctor on call")
 *         .per("shift", "id")
 *         .where("active")
 *         .atLeast(1, Rows.of("on_call").by("shift_id").where("active AND qualified"));
 * }</pre>
 *
 * @param name its name: a letter, then letters, digits and underscores, at most 40
 * @param says the rule in words; may be empty
 * @param scope what one instance of it is about
 * @param where which scope rows it applies to, as an SQL condition over the scope table; none means all. With
 *     {@link Rule.ViolatedBy} the query must then return the scope's key, in a column named like it
 * @param rule the condition itself
 */
public record Invariant(String name, String says, Scope scope, Optional<String> where, Rule rule) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,39}");

    /**
     * Checks that the parts fit together, as far as that is possible without the database.
     *
     * @throws InvalidInvariantException when they do not
     */
    public Invariant {
        require(
                NAME.matcher(name).matches(),
                "name of an invariant must be a letter, then letters, digits and underscores, at most 40, but was: %s",
                name);
        Objects.requireNonNull(says);
        Objects.requireNonNull(scope);
        Objects.requireNonNull(rule);
        checkWhere(name, scope, where, rule);
        if (rule instanceof Rule.Counting counting) {
            checkScopeColumn(name, scope, counting.of());
        }
        if (rule instanceof Rule.ViolatedBy violatedBy) {
            violatedBy.watches().forEach(watch -> checkWatch(name, scope, watch));
        }
    }

    /** By the name, which tells an application's invariants apart: each guarded transaction looks its statements up by it. */
    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /** {@return the declaration of an invariant with that name, in global scope until it says another} */
    public static InvariantDeclaration named(String name) {
        return new InvariantDeclaration(name, "", Scope.global(), Optional.empty());
    }

    private static void checkWhere(String name, Scope scope, Optional<String> where, Rule rule) {
        if (where.isEmpty()) {
            return;
        }
        String what = "where of invariant " + name;
        require(
                scope instanceof Scope.Table,
                "%s tells which scope rows it applies to, but its scope is global: give it a scope such as shift(id)"
                        + " or write the condition into the rule",
                what);
        require(
                !(rule instanceof Rule.Unique || rule instanceof Rule.NoOverlap),
                "%s tells which scope rows it applies to, but unique and no_overlap have none: write the condition"
                        + " into the rule",
                what);
        if (rule instanceof Rule.ViolatedBy violatedBy && !violatedBy.watches().isEmpty()) {
            Declaration.condition(what, where);
        } else {
            Declaration.conditionWithoutSubQuery(what, where);
        }
    }

    private static void checkScopeColumn(String name, Scope scope, Rule.Rows of) {
        if (scope instanceof Scope.Table table) {
            require(
                    of.scopeColumn().isPresent(),
                    "invariant %s has the scope %s(%s), so its rule must say which column of %s names the scope, such"
                            + " as %s(%s_id)",
                    name,
                    table.table(),
                    table.key(),
                    of.table(),
                    of.table(),
                    table.table());
        } else {
            require(
                    of.scopeColumn().isEmpty(),
                    "invariant %s has global scope, so its rule must count all of %s, but it counts by %s: leave the"
                            + " column out or give the invariant a scope",
                    name,
                    of.table(),
                    of.scopeColumn().orElse(""));
        }
    }

    private static void checkWatch(String name, Scope scope, Rule.Watch watch) {
        require(
                watch.scopeExpression().isPresent() == scope instanceof Scope.Table,
                scope instanceof Scope.Table
                        ? "invariant %s has a scope, so its watch %s must tell which scope a changed row is about, such"
                                + " as %2$s(shift_id)"
                        : "invariant %s has global scope, so its watch %s must not name a scope: leave it out or give"
                                + " the invariant a scope",
                name,
                watch.table());
    }

    /**
     * {@return a query that returns the violating rows, and no row while the invariant holds}
     *
     * <p>Its columns: of a counting rule the scope's key (named like it; none in global scope), then {@code count} or
     * {@code sum}, then the bound, named {@code at_least} or {@code at_most}; one row per violated scope, and a scope
     * without any row counts 0. Of {@link Rule.Unique} its columns, then {@code rows}: how many agree; one row per
     * group. Of {@link Rule.NoOverlap} two columns of type {@code jsonb}, {@code row} and {@code overlaps}; one row per
     * pair. Of {@link Rule.ViolatedBy} those of its query.
     *
     * <p>What it says about data that others are changing is right only once their transactions ended: it takes no
     * lock.
     */
    public String violationSql() {
        return new ViolationQuery(this).all();
    }

    /**
     * {@return the same query for one scope only}
     *
     * <p>A rule without a part per scope (global scope, unique, no_overlap, violated_by) is asked as a whole.
     *
     * @param scopeValue an SQL expression of the key's type, such as {@code ?}; it comes at most once in the query
     */
    public String violationSqlFor(String scopeValue) {
        return new ViolationQuery(this).forScope(scopeValue);
    }

    /** {@return the same query for several scopes; each expression comes at most once, in the list's order} */
    String violationSqlFor(List<String> scopeValues) {
        return hasPartPerScope()
                ? scopeValues.stream()
                        .map(value -> SqlText.parenthesized(violationSqlFor(value)))
                        .collect(Collectors.joining("\nUNION ALL\n"))
                : violationSql();
    }

    private boolean hasPartPerScope() {
        return rule instanceof Rule.Counting && scope instanceof Scope.Table;
    }

    /**
     * {@return whether a failure is the refusal of this invariant's guard in the database, or was caused by one}
     *
     * <p>So a service that writes without guarded transactions answers with its own error where a trigger or a native
     * constraint refused. What caused a framework's exception is looked at too, and each failure of a batch.
     */
    public boolean refused(Throwable failure) {
        return refusal().caused(failure);
    }

    GuardRefusal refusal() {
        return new GuardRefusal(name, says);
    }
}

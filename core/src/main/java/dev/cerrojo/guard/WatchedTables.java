package dev.cerrojo.guard;

import dev.cerrojo.guard.AffectedScopes.Side;
import dev.cerrojo.guard.Preflight.ScopeSource;
import dev.cerrojo.internal.SqlName;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The tables on which a statement may break an invariant, and which scopes it then touches. */
final class WatchedTables {
    private final Invariant invariant;
    private final String defaultSchema;
    private final Map<SqlName, AffectedScopes> tables = new LinkedHashMap<>();
    private final Set<ScopeSource> scopeSources = new LinkedHashSet<>();
    private final Map<SqlName, Set<String>> names = new LinkedHashMap<>();

    WatchedTables(Invariant invariant, String defaultSchema) {
        this.invariant = invariant;
        this.defaultSchema = defaultSchema;
        if (invariant.rule() instanceof Rule.Counting counting) {
            watchCounted(counting);
        } else if (invariant.rule() instanceof Rule.ViolatedBy violatedBy) {
            watchDeclared(violatedBy);
        }
    }

    /** {@return the tables, each once and qualified, with the scopes per event} */
    Map<SqlName, AffectedScopes> tables() {
        return tables;
    }

    /** {@return where scopes are read from} */
    List<ScopeSource> scopeSources() {
        return List.copyOf(scopeSources);
    }

    /** {@return the names in what is read of the rows that a statement wrote, its columns among them, by table} */
    Map<SqlName, Set<String>> names() {
        return names;
    }

    private void watchCounted(Rule.Counting rule) {
        Rule.Rows of = rule.of();
        Optional<String> scopeColumn = of.scopeColumn().map(SqlName::of).map(SqlName::sql);
        String scope = scopeColumn.map(AffectedScopes::scopeText).orElseGet(AffectedScopes::globalScope);
        Side side = new Side(SqlName.of(of.table()), scope, valueOf(rule), of.where());
        watch(side, affected(rule, side));
        scopeColumn.ifPresent(column -> scopeSources.add(new ScopeSource(SqlName.of(of.table()), column)));
        if (invariant.scope() instanceof Scope.Table scopeTable) {
            watchScopeRows(
                    SqlName.of(scopeTable.table()), SqlName.of(scopeTable.key()).sql());
        }
    }

    private AffectedScopes affected(Rule.Counting rule, Side side) {
        if (rule instanceof Rule.AtLeast) {
            return AffectedScopes.lowered(side, allScopes());
        } else if (rule instanceof Rule.AtMost) {
            return AffectedScopes.raised(side);
        } else if (rule instanceof Rule.SumAtLeast) {
            return AffectedScopes.loweredSum(side, allScopes());
        }
        return AffectedScopes.raisedSum(side, allScopes());
    }

    private static Optional<String> valueOf(Rule.Counting rule) {
        if (rule instanceof Rule.SumAtLeast sum) {
            return Optional.of(SqlName.of(sum.column()).sql());
        }
        return rule instanceof Rule.SumAtMost sum
                ? Optional.of(SqlName.of(sum.column()).sql())
                : Optional.empty();
    }

    /** A scope row begins to matter when it is made, when its condition becomes true or when its key changes. */
    private void watchScopeRows(SqlName table, String key) {
        scopeSources.add(new ScopeSource(table, key));
        Side side = new Side(table, AffectedScopes.scopeText(key), Optional.empty(), invariant.where());
        watch(side, AffectedScopes.raised(side));
    }

    private void watchDeclared(Rule.ViolatedBy rule) {
        rule.watches().forEach(watch -> watchWritten(SqlName.of(watch.table()), watch.scopeExpression()));
        if (invariant.scope() instanceof Scope.Table scope) {
            watchWritten(
                    SqlName.of(scope.table()),
                    Optional.of(SqlName.of(scope.key()).sql()));
        }
    }

    private void watchWritten(SqlName table, Optional<String> scopeExpression) {
        if (scopeExpression.isPresent() && !scopeSources.add(new ScopeSource(table, scopeExpression.get()))) {
            return;
        }
        String scope = scopeExpression.map(AffectedScopes::scopeText).orElseGet(AffectedScopes::globalScope);
        Side side = new Side(table, scope, Optional.empty(), Optional.empty());
        watch(side, AffectedScopes.written(side, allScopes()));
    }

    private void watch(Side side, AffectedScopes scopes) {
        SqlName table = scopes.table().in(defaultSchema);
        tables.merge(table, scopes, AffectedScopes::and);
        names.computeIfAbsent(table, any -> new LinkedHashSet<>()).addAll(side.names());
    }

    /** What TRUNCATE touches: it leaves no rows to tell the scopes by. */
    private String allScopes() {
        if (!(invariant.scope() instanceof Scope.Table scope)) {
            return "SELECT " + AffectedScopes.globalScope() + " AS scope";
        }
        String key = SqlName.of(scope.key()).sql();
        String scopes = "SELECT %s AS scope FROM %s WHERE %s IS NOT NULL"
                .formatted(
                        AffectedScopes.scopeText(key), SqlName.of(scope.table()).sql(), key);
        // Its check looks at all scopes at once, and must run even when the scope table is empty by now.
        return invariant.rule() instanceof Rule.ViolatedBy ? scopes + "\nUNION ALL\nSELECT 'all'::text" : scopes;
    }
}

package dev.cerrojo.invariant;

import java.util.List;
import java.util.Optional;

/** Invariants that tests share. */
public final class Invariants {
    private Invariants() {}

    public static Invariant onCallCoverage() {
        return atLeastOneDoctor("on_call_coverage");
    }

    public static Invariant atLeastOneDoctor(String name) {
        return scoped(
                name,
                Scope.table("shift", "id"),
                "active",
                new Rule.AtLeast(1, rows("on_call", "shift_id", "active AND qualified")));
    }

    public static Invariant scoped(String name, Scope scope, String where, Rule rule) {
        return new Invariant(name, "every active shift keeps a doctor", scope, optional(where), rule);
    }

    public static Invariant global(String name, Rule rule) {
        return new Invariant(name, "", Scope.global(), Optional.empty(), rule);
    }

    public static Rule.Rows rows(String table, String scopeColumn, String where) {
        return new Rule.Rows(table, optional(scopeColumn), optional(where));
    }

    public static Rule.ViolatedBy violatedBy(String sql, Rule.Watch... watches) {
        return new Rule.ViolatedBy(sql, List.of(watches));
    }

    public static Rule.Watch watch(String table, String scopeExpression) {
        return new Rule.Watch(table, optional(scopeExpression));
    }

    public static Rule.NoOverlap.Element element(String expression, String operator) {
        return new Rule.NoOverlap.Element(expression, operator);
    }

    /** Nothing where the text is empty. */
    private static Optional<String> optional(String text) {
        return Optional.of(text).filter(t -> !t.isEmpty());
    }
}

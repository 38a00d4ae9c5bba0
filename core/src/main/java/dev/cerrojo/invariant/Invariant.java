package dev.cerrojo.invariant;

import java.util.Optional;

/**
 * A condition on committed data, per scope.
 *
 * @param name its name: a letter, then letters, digits and underscores, at most 40
 * @param says the rule in words; may be empty
 * @param scope what one instance of it is about
 * @param where which scope rows it applies to, as an SQL condition over the scope table; none means all
 * @param rule the condition itself
 */
public record Invariant(String name, String says, Scope scope, Optional<String> where, Rule rule) {
    /** {@return a query that returns the violating rows, and no row while the invariant holds} */
    public String violationSql() {
        return switch (rule.getClass().getSimpleName()) {
            default -> ((Rule.ViolatedBy) rule).sql();
        };
    }
}

package dev.cerrojo.invariant;

import static dev.cerrojo.invariant.Declaration.require;

import java.util.Objects;
import java.util.Optional;

/**
 * A scope that a transaction guards, and how.
 *
 * @param point what puts transactions of this scope in order
 * @param key the key of the scope row, of the type of its column; empty in global scope
 */
public record GuardedScope(SerializationPoint point, Optional<Object> key) {
    /**
     * Checks that the key is there where the invariant has one instance per scope row, and only there.
     *
     * @throws InvalidInvariantException when it is not so
     */
    public GuardedScope {
        Objects.requireNonNull(point);
        Invariant invariant = point.invariant();
        require(
                key.isPresent() == invariant.scope() instanceof Scope.Table,
                key.isPresent()
                        ? "invariant %s has global scope, so there is no scope to name: write globally()"
                        : "invariant %s has one instance per scope row, so the scope must be named: write at(key)",
                invariant.name());
    }

    /** {@return the invariant that is guarded} */
    public Invariant invariant() {
        return point.invariant();
    }

    @Override
    public String toString() {
        return invariant().scope() instanceof Scope.Table table
                ? "%s %s = %s".formatted(table.table(), table.key(), key.orElseThrow())
                : "global";
    }
}

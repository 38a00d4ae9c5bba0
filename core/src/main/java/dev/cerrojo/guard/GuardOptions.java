package dev.cerrojo.guard;

import dev.cerrojo.internal.GuardTable;
import java.util.Objects;

/**
 * How a guard is made.
 *
 * @param schema the schema of the user's tables that are not qualified
 * @param ownSchema the schema of the guard table and of the functions
 * @param deferred whether the check waits for COMMIT, so that a transaction may pass through a bad state. Otherwise it
 *     follows each statement, and a transaction may still ask for {@code SET CONSTRAINTS … DEFERRED}
 * @param alwaysEnabled whether the triggers also fire under {@code session_replication_role = replica}
 */
public record GuardOptions(String schema, String ownSchema, boolean deferred, boolean alwaysEnabled) {
    /** Checks that nothing is missing. */
    public GuardOptions {
        Objects.requireNonNull(schema);
        Objects.requireNonNull(ownSchema);
    }

    /** {@return tables in {@code public}, Cerrojo's own in {@code cerrojo}, checked after each statement} */
    public static GuardOptions defaults() {
        return new GuardOptions("public", GuardTable.DEFAULT_SCHEMA, false, false);
    }

    /** {@return these options for tables in another schema} */
    public GuardOptions withSchema(String other) {
        return new GuardOptions(other, ownSchema, deferred, alwaysEnabled);
    }

    /** {@return these options with Cerrojo's own objects in another schema} */
    public GuardOptions withOwnSchema(String other) {
        return new GuardOptions(schema, other, deferred, alwaysEnabled);
    }

    /** {@return these options with the check at COMMIT, or after each statement} */
    public GuardOptions withDeferred(boolean other) {
        return new GuardOptions(schema, ownSchema, other, alwaysEnabled);
    }

    /** {@return these options with triggers that fire always, or not in a replica session} */
    public GuardOptions withAlwaysEnabled(boolean other) {
        return new GuardOptions(schema, ownSchema, deferred, other);
    }
}

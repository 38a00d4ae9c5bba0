package dev.cerrojo.version;

import dev.cerrojo.Actor;
import dev.cerrojo.internal.GuardTable;
import java.util.Objects;

/**
 * How version triggers are made.
 *
 * @param schema the schema of the user's tables that are not qualified
 * @param ownSchema the schema of Cerrojo's tables and of the functions
 * @param alwaysEnabled whether the triggers also fire under {@code session_replication_role = replica}
 * @param unsaid who acts in a transaction that does not say so, such as psql's
 */
public record VersionTriggerOptions(String schema, String ownSchema, boolean alwaysEnabled, Actor unsaid) {
    /** Checks that nothing is missing. */
    public VersionTriggerOptions {
        Objects.requireNonNull(schema);
        Objects.requireNonNull(ownSchema);
        Objects.requireNonNull(unsaid);
    }

    /** {@return tables in {@code public}, Cerrojo's own in {@code cerrojo}, and who says nothing is an editor} */
    public static VersionTriggerOptions defaults() {
        return new VersionTriggerOptions("public", GuardTable.DEFAULT_SCHEMA, false, Actor.EDITOR);
    }

    /** {@return these options for tables in another schema} */
    public VersionTriggerOptions withSchema(String other) {
        return new VersionTriggerOptions(other, ownSchema, alwaysEnabled, unsaid);
    }

    /** {@return these options with Cerrojo's own objects in another schema} */
    public VersionTriggerOptions withOwnSchema(String other) {
        return new VersionTriggerOptions(schema, other, alwaysEnabled, unsaid);
    }

    /** {@return these options with triggers that fire always, or not in a replica session} */
    public VersionTriggerOptions withAlwaysEnabled(boolean other) {
        return new VersionTriggerOptions(schema, ownSchema, other, unsaid);
    }

    /** {@return these options with another actor where none is said} */
    public VersionTriggerOptions withUnsaid(Actor other) {
        return new VersionTriggerOptions(schema, ownSchema, alwaysEnabled, other);
    }
}

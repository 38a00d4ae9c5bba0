package dev.cerrojo.ownership;

import dev.cerrojo.Actor;
import dev.cerrojo.internal.GuardTable;
import java.util.Objects;
import java.util.Optional;

/**
 * How the trigger of an ownership is made.
 *
 * @param mode what it does with fields that are another's
 * @param unsaid who acts where a transaction does not say it; empty to refuse writes to what is owned
 * @param schema the schema of a table that is not qualified
 * @param ownSchema the schema of the function
 * @param alwaysEnabled whether the trigger also fires under {@code session_replication_role = replica}
 */
public record OwnershipOptions(
        TriggerMode mode, Optional<Actor> unsaid, String schema, String ownSchema, boolean alwaysEnabled) {
    /** Checks that nothing is missing. */
    public OwnershipOptions {
        Objects.requireNonNull(mode);
        Objects.requireNonNull(unsaid);
        Objects.requireNonNull(schema);
        Objects.requireNonNull(ownSchema);
    }

    /** {@return a trigger that refuses, also who does not say who acts; table in {@code public}, function in {@code cerrojo}} */
    public static OwnershipOptions reject() {
        return new OwnershipOptions(TriggerMode.REJECT, Optional.empty(), "public", GuardTable.DEFAULT_SCHEMA, false);
    }

    /** {@return a trigger that preserves, and takes who does not say who acts for an editor; else as {@link #reject}} */
    public static OwnershipOptions preserve() {
        return new OwnershipOptions(
                TriggerMode.PRESERVE, Optional.of(Actor.EDITOR), "public", GuardTable.DEFAULT_SCHEMA, false);
    }

    /** {@return the options that a mode has by itself} */
    public static OwnershipOptions of(TriggerMode mode) {
        return mode == TriggerMode.REJECT ? reject() : preserve();
    }

    /** {@return these options with another actor where none is said; empty to refuse} */
    public OwnershipOptions withUnsaid(Optional<Actor> other) {
        return new OwnershipOptions(mode, other, schema, ownSchema, alwaysEnabled);
    }

    /** {@return these options for a table in another schema} */
    public OwnershipOptions withSchema(String other) {
        return new OwnershipOptions(mode, unsaid, other, ownSchema, alwaysEnabled);
    }

    /** {@return these options with the function in another schema} */
    public OwnershipOptions withOwnSchema(String other) {
        return new OwnershipOptions(mode, unsaid, schema, other, alwaysEnabled);
    }

    /** {@return these options with a trigger that fires always, or not in a replica session} */
    public OwnershipOptions withAlwaysEnabled(boolean other) {
        return new OwnershipOptions(mode, unsaid, schema, ownSchema, other);
    }
}

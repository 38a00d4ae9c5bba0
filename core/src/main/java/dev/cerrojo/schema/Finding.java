package dev.cerrojo.schema;

import java.util.Objects;

/**
 * Something in which the database differs from a guard.
 *
 * @param kind what kind of difference
 * @param object which object it is about, as SQL names it
 * @param message what is, what should be and what to do, in one or two sentences
 */
public record Finding(Kind kind, String object, String message) {
    /** Checks that nothing is missing. */
    public Finding {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(object);
        Objects.requireNonNull(message);
    }

    @Override
    public String toString() {
        return kind + ": " + message;
    }

    /** A kind of difference. */
    public enum Kind {
        /** Nothing of the guard is there. */
        NOT_INSTALLED,
        /** It was installed from another definition of the invariant, or by another version of Cerrojo. */
        OTHER_DEFINITION,
        /** A table of the invariant does not exist. */
        TABLE_MISSING,
        /** A table became one that cannot be guarded: a partition, one with row-level security, of other types. */
        TABLE_UNFIT,
        /** A trigger is missing on a table of the invariant. */
        TRIGGER_MISSING,
        /** A trigger is missing on a partition or child, which was made or attached later. */
        TABLE_UNCOVERED,
        /** A trigger fires at another time or calls another function. */
        TRIGGER_CHANGED,
        /** A trigger does not fire. */
        TRIGGER_DISABLED,
        /** A trigger fires in other sessions than it should: always, or not in a replica session. */
        TRIGGER_MODE,
        /** A trigger of the guard is on a table that is none of the invariant's. */
        TRIGGER_UNEXPECTED,
        /** A function is missing. */
        FUNCTION_MISSING,
        /** A function's text, settings, volatility or rights are other ones. */
        FUNCTION_CHANGED,
        /** A function belongs to another role than the rest of the guard. */
        OWNER_CHANGED,
        /** The guard table does not exist. */
        GUARD_TABLE_MISSING,
        /** The guard table has other columns, another key, row-level security or triggers that can keep a touch from it. */
        GUARD_TABLE_CHANGED,
        /** A constraint of PostgreSQL's own is on other columns, or was made by hand. */
        CONSTRAINT_CHANGED,
        /** A constraint or its index does not count yet. */
        CONSTRAINT_NOT_VALID,
        /** The check is deferred and should not be, or the other way round. */
        DEFERRABILITY,
        /** Rows violate the invariant now. */
        VIOLATED,
        /** Whether rows violate it cannot be asked, as when a column was renamed. */
        NOT_READABLE
    }
}

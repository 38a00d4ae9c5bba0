package dev.cerrojo.version;

import java.util.Objects;

/**
 * Something in which the database differs from version triggers.
 *
 * @param kind what kind of difference
 * @param object which object it is about, as SQL names it
 * @param message what is, what should be and what to do
 */
public record VersionFinding(Kind kind, String object, String message) {
    /** Checks that nothing is missing. */
    public VersionFinding {
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
        /** Nothing of it is there. */
        NOT_INSTALLED,
        /** It was installed from another definition, or by another version of Cerrojo. */
        OTHER_DEFINITION,
        /** The table does not exist. */
        TABLE_MISSING,
        /** The table became one that cannot have versions: its key is not unique any more, say. */
        TABLE_UNFIT,
        /** Cerrojo's tables of versions do not exist. */
        OWN_TABLES_MISSING,
        /** A trigger is missing on the table. */
        TRIGGER_MISSING,
        /** A trigger is missing on a partition, which was made or attached later. */
        TABLE_UNCOVERED,
        /** A trigger fires at another time, or under a condition. */
        TRIGGER_CHANGED,
        /** A trigger does not fire. */
        TRIGGER_DISABLED,
        /** A trigger fires in other sessions than it should: always, or not in a replica session. */
        TRIGGER_MODE,
        /** A trigger stands on a table that is not, or no more, a part of this one. */
        TRIGGER_UNEXPECTED,
        /** The function is missing. */
        FUNCTION_MISSING,
        /** The function's text, settings, volatility or rights are other ones. */
        FUNCTION_CHANGED
    }
}

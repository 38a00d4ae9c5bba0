package dev.cerrojo.ownership;

/** What a trigger does with fields that are not those of whoever writes. */
public enum TriggerMode {
    /** It refuses the statement, with SQLSTATE 23514. */
    REJECT,
    /** It keeps them as they are, and lets the rest be written: for what writes every column, as many ORMs do. */
    PRESERVE
}

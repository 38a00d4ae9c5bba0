package dev.cerrojo;

import java.util.Locale;

/**
 * Who writes: a person who edits, or the system itself, with its workers, imports and jobs. Field ownership and versions
 * tell the two apart.
 */
public enum Actor {
    /** A person, through a form or an API made for people. */
    EDITOR,
    /** A program on its own account. */
    SYSTEM;

    /** {@return the name as triggers read it, {@code editor} or {@code system}} */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}

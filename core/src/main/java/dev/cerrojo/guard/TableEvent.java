package dev.cerrojo.guard;

import java.util.Locale;

/** What a trigger fires on. */
enum TableEvent {
    INSERT("REFERENCING NEW TABLE AS cerrojo_new "),
    UPDATE("REFERENCING OLD TABLE AS cerrojo_old NEW TABLE AS cerrojo_new "),
    DELETE("REFERENCING OLD TABLE AS cerrojo_old "),
    TRUNCATE("");

    private final String transitionTables;

    TableEvent(String transitionTables) {
        this.transitionTables = transitionTables;
    }

    /** {@return the clause that names the rows before and after, which TRUNCATE does not have} */
    String transitionTables() {
        return transitionTables;
    }

    String suffix() {
        return '_' + name().toLowerCase(Locale.ROOT);
    }
}

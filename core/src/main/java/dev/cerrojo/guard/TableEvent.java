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

    /** {@return how {@code pg_trigger.tgtype} writes an AFTER STATEMENT trigger for it} */
    String catalogType() {
        return switch (this) {
            case INSERT -> "4";
            case DELETE -> "8";
            case UPDATE -> "16";
            case TRUNCATE -> "32";
        };
    }

    /** {@return the names of the transition tables, before and after, as {@code old/new}} */
    String catalogTransition() {
        return switch (this) {
            case INSERT -> "/cerrojo_new";
            case DELETE -> "cerrojo_old/";
            case UPDATE -> "cerrojo_old/cerrojo_new";
            case TRUNCATE -> "/";
        };
    }

    String suffix() {
        return '_' + name().toLowerCase(Locale.ROOT);
    }
}

package dev.cerrojo.version;

import java.util.Locale;

/** What a version trigger fires on. */
enum TriggerEvent {
    INSERT(4, "AFTER", "REFERENCING NEW TABLE AS cerrojo_new ", "/cerrojo_new"),
    UPDATE(16, "AFTER", "REFERENCING OLD TABLE AS cerrojo_old NEW TABLE AS cerrojo_new ", "cerrojo_old/cerrojo_new"),
    DELETE(8, "AFTER", "REFERENCING OLD TABLE AS cerrojo_old ", "cerrojo_old/"),
    TRUNCATE(34, "BEFORE", "", "/");

    /** As {@code pg_trigger.tgtype} writes it. */
    private final int catalogType;

    private final String time;
    private final String transitionTables;

    /** The transition tables, before and after, as {@code old/new}. */
    private final String catalogTransition;

    TriggerEvent(int catalogType, String time, String transitionTables, String catalogTransition) {
        this.catalogType = catalogType;
        this.time = time;
        this.transitionTables = transitionTables;
        this.catalogTransition = catalogTransition;
    }

    String triggerName() {
        return "cerrojo_version_" + name().toLowerCase(Locale.ROOT);
    }

    /**
     * {@return the statement that makes the trigger}
     *
     * @param place the table, as SQL text
     */
    String createSql(String place, String function) {
        return "CREATE TRIGGER %s %s %s ON %s\n  %sFOR EACH STATEMENT EXECUTE FUNCTION %s()"
                .formatted(triggerName(), time, name(), place, transitionTables, function);
    }

    /** {@return what the catalog has of it, as {@code type old/new}} */
    String catalogShape() {
        return catalogType + " " + catalogTransition;
    }
}

package dev.cerrojo.explorer.tests.ownership;

import static dev.cerrojo.Actor.EDITOR;
import static dev.cerrojo.Actor.SYSTEM;

import dev.cerrojo.ownership.OwnershipOptions;
import dev.cerrojo.ownership.TriggerMode;
import java.util.List;
import java.util.Optional;

/** Two writers of one row. */
enum Pair {
    SAVE_AND_STORE("owned updates: an editor saves, the system writes", none(), Writer.saves("New"), Writer.stores()),
    TWO_SAVES("owned updates: two editors save", none(), Writer.saves("A"), Writer.saves("B")),
    TWO_MERGES("owned updates: two merge tags", none(), Writer.tags(EDITOR, "e"), Writer.tags(SYSTEM, "s")),
    TWO_COUNTS("owned updates: two add to a number", none(), Writer.counts(EDITOR, 1), Writer.counts(SYSTEM, 2)),
    SAVE_AND_MERGE(
            "owned updates: an editor saves, the system merges", none(), Writer.saves("New"), Writer.tags(SYSTEM, "s")),

    PRESERVE_FORMS(
            "preserve: two save whole rows that were read before",
            preserve(),
            Writer.form(EDITOR),
            Writer.form(SYSTEM)),
    PRESERVE_UPSERTS("preserve: two upsert whole rows", preserve(), Writer.upsert(EDITOR), Writer.upsert(SYSTEM)),
    PRESERVE_AND_MERGE(
            "preserve: one saves a whole row, one merges", preserve(), Writer.form(EDITOR), Writer.tags(SYSTEM, "s")),
    PRESERVE_AND_SAVE(
            "preserve: one saves a whole row, one the title", preserve(), Writer.form(SYSTEM), Writer.saves("New")),

    REJECT_FORMS(
            "reject: two save whole rows that were read before", reject(), Writer.form(EDITOR), Writer.form(SYSTEM)),
    REJECT_AND_MERGE(
            "reject: one saves a whole row, one merges", reject(), Writer.form(EDITOR), Writer.tags(SYSTEM, "s")),

    CONTROL_FORMS(
            "control, no trigger: two save whole rows that were read before",
            none(),
            Writer.form(EDITOR),
            Writer.form(SYSTEM)),
    CONTROL_AND_MERGE(
            "control, no trigger: one saves a whole row, one merges",
            none(),
            Writer.form(EDITOR),
            Writer.tags(SYSTEM, "s")),
    CONTROL_MERGES(
            "control, no merge: two write tags that were read before",
            none(),
            Writer.raw(EDITOR, "UPDATE article SET tags = '{a,e}' WHERE id = 7", "'e' = ANY (tags)"),
            Writer.raw(SYSTEM, "UPDATE article SET tags = '{a,s}' WHERE id = 7", "'s' = ANY (tags)")),
    CONTROL_SAVES(
            "control, no version: two editors save",
            none(),
            Writer.raw(EDITOR, "UPDATE article SET title = 'A' WHERE id = 7", "title = 'A'"),
            Writer.raw(EDITOR, "UPDATE article SET title = 'B' WHERE id = 7", "title = 'B'"));

    private final String says;
    private final Optional<OwnershipOptions> trigger;
    private final List<Writer> writers;

    Pair(String says, Optional<OwnershipOptions> trigger, Writer... writers) {
        this.says = says;
        this.trigger = trigger;
        this.writers = List.of(writers);
    }

    private static Optional<OwnershipOptions> none() {
        return Optional.empty();
    }

    private static Optional<OwnershipOptions> preserve() {
        return Optional.of(OwnershipOptions.preserve());
    }

    private static Optional<OwnershipOptions> reject() {
        return Optional.of(OwnershipOptions.reject());
    }

    Optional<OwnershipOptions> trigger() {
        return trigger;
    }

    List<Writer> writers() {
        return writers;
    }

    boolean isControl() {
        return says.startsWith("control");
    }

    /** Whether the trigger ends one of them with an error. */
    boolean mayBeRefused() {
        return trigger.filter(options -> options.mode() == TriggerMode.REJECT).isPresent();
    }

    @Override
    public String toString() {
        return says;
    }
}

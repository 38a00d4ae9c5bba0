package dev.cerrojo.ownership;

import dev.cerrojo.Actor;
import dev.cerrojo.internal.ActorSetting;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.Template;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The text of the function that keeps an ownership.
 *
 * <p>Values are compared as they are stored ({@code *<>} of records): a type need not have an equality (JSON), and where equal is not
 * the same (text that ignores case) a change is none the less one. Generated columns are not compared: in a BEFORE trigger the new
 * row does not have them yet.
 */
final class OwnershipBody {
    private static final Template BODY = new Template("""

            DECLARE
              actor text := {actor};
              merging boolean := {merging};
              refused text;
              told record;
            BEGIN
              -- What triggers and foreign keys do by themselves: to keep what ON DELETE SET NULL sets would break the key.
              IF pg_trigger_depth() > 1 THEN
                RETURN NEW;
              END IF;
              IF actor NOT IN ('editor', 'system') THEN
                RAISE EXCEPTION USING ERRCODE = '22023',
                  MESSAGE = 'cerrojo.actor must be editor or system, but is "' || actor || '"';
              END IF;
              {rules}
              RETURN NEW;
            END
            """);

    /** Without an actor both rules of owners apply: IS DISTINCT FROM. */
    private static final Template REFUSE = new Template("""
            IF {when} THEN
              {find}
              IF refused IS NOT NULL THEN
                RAISE EXCEPTION USING ERRCODE = '23514', CONSTRAINT = {constraint}, TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA,
                  MESSAGE = format({message}, refused){who},
                  HINT = {hint};
              END IF;
            END IF;""");

    private static final Template FIND = new Template("""
            IF ROW({after})::record *<> ROW({before})::record THEN
              refused := nullif(concat_ws(', ', {fields}), '');
            END IF;""");

    /** Of columns that are in no list, which are found by name. */
    private static final Template FIND_OTHERS = new Template("""
            SELECT string_agg(b.key, ', ' ORDER BY b.key) INTO refused
            FROM jsonb_each(to_jsonb(OLD) - {listed}) AS b
            JOIN jsonb_each(to_jsonb(NEW) - {listed}) AS a USING (key)
            WHERE b.value IS DISTINCT FROM a.value
              AND NOT EXISTS (SELECT 1 FROM pg_attribute AS t
                WHERE t.attrelid = TG_RELID AND t.attname = b.key AND t.attgenerated <> '');""");

    private static final Template KEEP = new Template("""
            IF {when} THEN
              {assignments}
            END IF;""");

    private final Ownership ownership;
    private final OwnershipOptions options;

    OwnershipBody(Ownership ownership, OwnershipOptions options) {
        this.ownership = ownership;
        this.options = options;
    }

    String text() {
        return BODY.fill(Map.of(
                "actor",
                options.unsaid()
                        .map(actor -> "coalesce(%s, '%s')".formatted(ActorSetting.EXPRESSION, actor.label()))
                        .orElse(ActorSetting.EXPRESSION),
                "merging",
                MergingSetting.EXPRESSION,
                "rules",
                rules().collect(Collectors.joining("\n"))));
    }

    private Stream<String> rules() {
        return options.mode() == TriggerMode.REJECT
                ? Stream.concat(refuseOwned("actor IS DISTINCT FROM '%s'"), refuseShared())
                : Stream.of(refuseUnsaid(), Arrays.stream(Actor.values()).flatMap(this::keepOwned), keepShared())
                        .flatMap(rules -> rules);
    }

    /** In mode preserve only what is written without an actor is refused, and only where none is assumed. */
    private Stream<String> refuseUnsaid() {
        return options.unsaid().isPresent() ? Stream.empty() : refuseOwned("actor IS NULL");
    }

    private Stream<String> refuseOwned(String when) {
        return Arrays.stream(Actor.values()).flatMap(actor -> refuseOwned(actor, when.formatted(actor.label())));
    }

    private Stream<String> refuseOwned(Actor owner, String when) {
        String message = "%s of %s belongs to %s, but ".formatted("%s", percents(ownership.table()), words(owner));
        String who = " || CASE WHEN actor IS NULL THEN 'nobody said who writes it' ELSE %s END"
                .formatted(Identifiers.quoteLiteral(words(FieldOwner.other(owner)) + " wrote it"));
        String hint =
                "Leave it out of the UPDATE, or say who acts, first in the transaction: SET LOCAL cerrojo.actor = '%s'."
                        .formatted(owner.label());
        return Stream.of(find(ownership.fieldsOf(FieldOwner.of(owner))), findOthers(owner))
                .flatMap(Optional::stream)
                .map(find -> refuse(when, find, message, who, hint));
    }

    private static String words(Actor actor) {
        return FieldOwner.of(actor).inWords();
    }

    private static String percents(String text) {
        return text.replace("%", "%%");
    }

    private String refuse(String when, String find, String message, String who, String hint) {
        return REFUSE.fill(Map.of(
                "when",
                when,
                "find",
                find,
                "constraint",
                Identifiers.quoteLiteral(ownership.tableName().name() + "_ownership"),
                "message",
                Identifiers.quoteLiteral(message),
                "who",
                who,
                "hint",
                Identifiers.quoteLiteral(hint)));
    }

    private Stream<String> refuseShared() {
        String place = percents(ownership.table());
        List<String> rules = new ArrayList<>();
        find(merged())
                .ifPresent(find -> rules.add(refuse(
                        "NOT merging",
                        find,
                        "%s of " + place + " is shared and merged with what was read, which this UPDATE does not tell",
                        "",
                        "Write it by OwnedTable, which merges it under the lock of the row.")));
        find(first())
                .ifPresent(find -> rules.add(refuse(
                        "NOT merging AND ("
                                + first().stream()
                                        .map(field -> before(field) + " IS NOT NULL")
                                        .collect(Collectors.joining(" OR "))
                                + ")",
                        findWhere(first(), field -> before(field) + " IS NOT NULL AND " + changed(field)),
                        "%s of " + place + " is shared, and its first value stays",
                        "",
                        "Leave it out of the UPDATE.")));
        if (!growing().isEmpty()) {
            rules.add(refuse(
                    growing().stream().map(field -> less(field)).collect(Collectors.joining(" OR ")),
                    findWhere(growing(), OwnershipBody::less),
                    "%s of " + place + " must not become less",
                    "",
                    "Read the row again: somebody else has written it since."));
        }
        return rules.stream();
    }

    private static String less(String field) {
        return "greatest(%2$s, %1$s) IS DISTINCT FROM %2$s".formatted(before(field), after(field));
    }

    private static String findWhere(List<String> fields, java.util.function.UnaryOperator<String> condition) {
        return "refused := nullif(concat_ws(', ', %s), '');"
                .formatted(fields.stream()
                        .map(field -> "CASE WHEN %s THEN %s END"
                                .formatted(condition.apply(field), Identifiers.quoteLiteral(field)))
                        .collect(Collectors.joining(", ")));
    }

    private static Optional<String> find(List<String> fields) {
        return fields.isEmpty()
                ? Optional.empty()
                : Optional.of(FIND.fill(Map.of(
                        "after", fields.stream().map(OwnershipBody::after).collect(Collectors.joining(", ")),
                        "before", fields.stream().map(OwnershipBody::before).collect(Collectors.joining(", ")),
                        "fields",
                                fields.stream()
                                        .map(field -> "CASE WHEN %s THEN %s END"
                                                .formatted(changed(field), Identifiers.quoteLiteral(field)))
                                        .collect(Collectors.joining(", ")))));
    }

    private static String changed(String field) {
        return "ROW(%s)::record *<> ROW(%s)::record".formatted(after(field), before(field));
    }

    private Optional<String> findOthers(Actor owner) {
        return ownership
                .others()
                .filter(owner::equals)
                .map(same -> FIND_OTHERS.fill(Map.of(
                        "listed",
                        listed().stream()
                                .map(Identifiers::quoteLiteral)
                                .collect(Collectors.joining(", ", "ARRAY[", "]::text[]")))));
    }

    /** What is the owner's stays as it was, when another acts. */
    private Stream<String> keepOwned(Actor owner) {
        List<String> assignments = new ArrayList<>();
        if (ownership.others().filter(owner::equals).isPresent()) {
            assignments.add("told := NEW;");
            assignments.add("NEW := OLD;");
            listed().stream()
                    .filter(column -> !ownership.fieldsOf(FieldOwner.of(owner)).contains(column))
                    .forEach(column ->
                            assignments.add("%s := told.%s;".formatted(after(column), Identifiers.quote(column))));
        } else {
            assignments.addAll(kept(ownership.fieldsOf(FieldOwner.of(owner))));
        }
        return assignments.isEmpty()
                ? Stream.empty()
                : Stream.of(KEEP.fill(Map.of(
                        "when", "actor <> '%s'".formatted(owner.label()),
                        "assignments", String.join("\n", assignments))));
    }

    private static List<String> kept(List<String> fields) {
        return fields.stream()
                .map(field -> "%s := %s;".formatted(after(field), before(field)))
                .toList();
    }

    private Stream<String> keepShared() {
        List<String> assignments = new ArrayList<>(kept(merged()));
        first().forEach(field ->
                assignments.add("%s := coalesce(%s, %s);".formatted(after(field), before(field), after(field))));
        Stream<String> grown =
                growing().stream().map(field -> "%1$s := greatest(%1$s, %2$s);".formatted(after(field), before(field)));
        return assignments.isEmpty()
                ? grown
                : Stream.concat(
                        Stream.of(KEEP.fill(
                                Map.of("when", "NOT merging", "assignments", String.join("\n", assignments)))),
                        grown);
    }

    /** {@return the shared fields whose merge needs what was read} */
    private List<String> merged() {
        return shared(Merge::needsBase);
    }

    private List<String> first() {
        return shared(Merge.firstWins()::equals);
    }

    /** {@return the columns that never become less: the version, and shared fields of which the greater value counts} */
    List<String> growing() {
        return Stream.concat(ownership.version().stream(), shared(Merge.greater()::equals).stream())
                .toList();
    }

    private List<String> shared(java.util.function.Predicate<Merge> merge) {
        return ownership.fieldsOf(FieldOwner.SHARED).stream()
                .filter(field -> Optional.ofNullable(ownership.merges().get(field))
                        .filter(merge)
                        .isPresent())
                .toList();
    }

    private List<String> listed() {
        List<String> listed = new ArrayList<>(ownership.key());
        ownership.version().ifPresent(listed::add);
        listed.addAll(ownership.owners().keySet());
        return listed;
    }

    private static String after(String column) {
        return "NEW." + Identifiers.quote(column);
    }

    private static String before(String column) {
        return "OLD." + Identifiers.quote(column);
    }
}

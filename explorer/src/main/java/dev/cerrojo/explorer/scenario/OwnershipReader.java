package dev.cerrojo.explorer.scenario;

import dev.cerrojo.Actor;
import dev.cerrojo.ownership.Merge;
import dev.cerrojo.ownership.Ownership;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads {@code ownership}: table → whose its fields are. */
final class OwnershipReader {
    private static final List<String> KEYS =
            List.of("key", "version", "editor_owned", "system_owned", "shared", "groups", "others");

    private final Field table;
    private final Keys keys;
    private final Ownership.Builder builder;

    private OwnershipReader(Field table, Keys keys, Ownership.Builder builder) {
        this.table = table;
        this.keys = keys;
        this.builder = builder;
    }

    /** {@return the ownerships of a file, in its order; none when it declares none} */
    static List<Ownership> ownerships(Keys root) {
        List<Ownership> found = new ArrayList<>();
        root.find("ownership").flatMap(Field::named).ifPresent(tables -> {
            if (tables.names().isEmpty()) {
                tables.problem("must not be empty");
            }
            for (String name : tables.names()) {
                tables.find(name)
                        .flatMap(table -> ownership(tables, name, table))
                        .ifPresent(found::add);
            }
        });
        return found;
    }

    private static Optional<Ownership> ownership(Keys tables, String name, Field table) {
        return table.keys(KEYS).flatMap(keys -> {
            List<String> key = keys.need("key", "the column of the key, or a list of them")
                    .map(OwnershipReader::key)
                    .orElse(List.of());
            if (key.isEmpty()) {
                return Optional.empty();
            }
            try {
                return new OwnershipReader(table, keys, Ownership.of(name, key.toArray(String[]::new))).read();
            } catch (IllegalArgumentException e) {
                tables.refuse(name, String.valueOf(e.getMessage()));
                return Optional.empty();
            }
        });
    }

    private static List<String> key(Field value) {
        return value.node() instanceof SequenceNode
                ? words(value.someItems())
                : value.word().map(List::of).orElse(List.of());
    }

    private static List<String> words(List<Field> items) {
        return items.stream().flatMap(item -> item.word().stream()).toList();
    }

    private Optional<Ownership> read() {
        keys.find("version").flatMap(Field::word).ifPresent(builder::version);
        each("editor_owned", builder::editorOwned);
        each("system_owned", builder::systemOwned);
        keys.find("shared").flatMap(Field::named).ifPresent(this::shared);
        keys.find("groups").flatMap(Field::named).ifPresent(this::groups);
        keys.find("others").flatMap(OwnershipReader::actor).ifPresent(builder::others);
        return attempt(table, builder::build);
    }

    private void each(String key, Consumer<String> declare) {
        keys.find(key)
                .map(Field::someItems)
                .orElse(List.of())
                .forEach(item -> item.word()
                        .ifPresent(field -> attempt(item, () -> {
                            declare.accept(field);
                            return field;
                        })));
    }

    private void shared(Keys fields) {
        for (String field : fields.names()) {
            Field value = fields.find(field).orElseThrow();
            value.word()
                    .flatMap(word -> merge(value, word))
                    .ifPresent(merge -> attempt(value, () -> builder.shared(field, merge)));
        }
    }

    private static Optional<Merge> merge(Field value, String word) {
        Optional<Merge> merge = Merge.named(word);
        if (merge.isEmpty()) {
            value.problem("unknown merge " + Field.quoted(word) + Nearest.hint(word, Merge.names()));
        }
        return merge;
    }

    private void groups(Keys groups) {
        for (String group : groups.names()) {
            Field value = groups.find(group).orElseThrow();
            List<String> fields = words(value.someItems());
            if (!fields.isEmpty()) {
                attempt(value, () -> builder.group(group, fields.toArray(String[]::new)));
            }
        }
    }

    private static Optional<Actor> actor(Field value) {
        List<String> labels = Arrays.stream(Actor.values()).map(Actor::label).toList();
        return value.word().flatMap(word -> {
            Optional<Actor> actor = Arrays.stream(Actor.values())
                    .filter(each -> each.label().equals(word))
                    .findFirst();
            if (actor.isEmpty()) {
                value.problem("unknown actor " + Field.quoted(word) + Nearest.hint(word, labels));
            }
            return actor;
        });
    }

    private interface Declaration<T> {
        T declare();
    }

    private static <T> Optional<T> attempt(Field at, Declaration<T> declaration) {
        try {
            return Optional.of(declaration.declare());
        } catch (IllegalArgumentException e) {
            at.problem(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }
}

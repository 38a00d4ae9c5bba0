package dev.cerrojo.ownership;

import dev.cerrojo.Actor;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.SqlName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An entity, and whose each of its fields is: of editors, of the system, or shared by a merge.
 *
 * <pre>{@code
 * Ownership articles = Ownership.of("article", "id")
 *         .version("version")
 *         .editorOwned("title", "body")
 *         .systemOwned("thumbnail", "thumbnail_width", "embedding")
 *         .shared("tags", Merge.union())
 *         .group("thumbnail", "thumbnail", "thumbnail_width")
 *         .build();
 * }</pre>
 *
 * <p>Fields are columns, named as the database names them, without quotes. What is in no list is nobody's, and refused until it
 * is declared, unless {@link Builder#others} says whose the rest is. The key belongs to nobody and is never written. The version
 * tells what editors have saved: their saves compare it and count it up, and what the system writes compares it and leaves it, so
 * that a form that is open stays good.
 *
 * <p>Immutable, for any number of threads.
 */
public final class Ownership {
    private final SqlName table;
    private final List<String> key;
    private final Optional<String> version;
    private final Map<String, FieldOwner> owners;
    private final Map<String, Merge> merges;
    private final Map<String, Set<String>> groups;
    private final Optional<Actor> others;

    private Ownership(Builder builder) {
        table = builder.table;
        key = List.copyOf(builder.key);
        version = builder.version;
        owners = Collections.unmodifiableMap(new LinkedHashMap<>(builder.owners));
        merges = Map.copyOf(builder.merges);
        groups = Collections.unmodifiableMap(new LinkedHashMap<>(builder.groups));
        others = builder.others;
    }

    /**
     * {@return a builder for a table}
     *
     * @param table its name as SQL writes it, with a schema or without
     * @param key the column of its key, or the columns
     */
    public static Builder of(String table, String... key) {
        return new Builder(table, List.of(key));
    }

    /** {@return the table, as SQL text} */
    public String table() {
        return table.sql();
    }

    SqlName tableName() {
        return table;
    }

    /** {@return the columns of the key, one or more} */
    public List<String> key() {
        return key;
    }

    /** {@return the column of the version} */
    public Optional<String> version() {
        return version;
    }

    /** {@return the fields that are declared, in order, each with its owner} */
    public Map<String, FieldOwner> owners() {
        return owners;
    }

    /** {@return the merges of shared fields, by field} */
    public Map<String, Merge> merges() {
        return merges;
    }

    /** {@return the groups, each with its fields} */
    public Map<String, Set<String>> groups() {
        return groups;
    }

    /** {@return whose the fields are that are not declared; empty when they are nobody's} */
    public Optional<Actor> others() {
        return others;
    }

    /** {@return the fields of an owner, in order} */
    public List<String> fieldsOf(FieldOwner owner) {
        return owners.keySet().stream()
                .filter(field -> owners.get(field) == owner)
                .toList();
    }

    /**
     * {@return whose a field is}
     *
     * @throws IllegalArgumentException when it is nobody's
     */
    public FieldOwner ownerOf(String field) {
        if (key.contains(field) || version.filter(field::equals).isPresent()) {
            throw new IllegalArgumentException(
                    "column %s of %s is the %s, which is not written as a field: leave it out"
                            .formatted(field, table(), key.contains(field) ? "key" : "version"));
        }
        return Optional.ofNullable(owners.get(field))
                .or(() -> others.map(FieldOwner::of))
                .orElseThrow(() -> new IllegalArgumentException(
                        "field %s of %s is nobody's: declare it as editorOwned, systemOwned or shared (declared are: %s)"
                                .formatted(field, table(), String.join(", ", owners.keySet()))));
    }

    /**
     * Refuses fields that an actor may not write.
     *
     * @throws WrongActorException for the first of them
     * @throws IllegalArgumentException when one is nobody's
     */
    public void requireWritable(Actor actor, Collection<String> fields) {
        for (String field : fields) {
            FieldOwner owner = ownerOf(field);
            if (!owner.lets(actor)) {
                throw new WrongActorException(table(), field, owner, actor);
            }
        }
    }

    /**
     * {@return what a lease on a whole row is named by}
     *
     * @param keyValue the value of the key; a {@link List} of them where it has several columns
     */
    public FieldScope scope(Object keyValue) {
        return new FieldScope(entity(keyValue), Optional.empty());
    }

    /**
     * {@return what a lease on one group of a row's fields is named by}
     *
     * @param keyValue the value of the key; a {@link List} of them where it has several columns
     */
    public FieldScope scope(Object keyValue, String group) {
        if (!groups.containsKey(group)) {
            throw new IllegalArgumentException("%s has no group of fields \"%s\" (it has: %s)"
                    .formatted(table(), group, String.join(", ", groups.keySet())));
        }
        return new FieldScope(entity(keyValue), Optional.of(group));
    }

    /**
     * {@return what must be leased to write some fields of a row: their groups, or the whole row when one is in none}
     *
     * @param keyValue the value of the key; a {@link List} of them where it has several columns
     */
    public Set<FieldScope> scopesOf(Object keyValue, Collection<String> fields) {
        fields.forEach(this::ownerOf);
        List<Optional<String>> named = fields.stream().map(this::groupOf).toList();
        return named.contains(Optional.<String>empty())
                ? Set.of(scope(keyValue))
                : named.stream()
                        .flatMap(Optional::stream)
                        .map(group -> scope(keyValue, group))
                        .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** {@return the group that a field is in} */
    public Optional<String> groupOf(String field) {
        return groups.entrySet().stream()
                .filter(group -> group.getValue().contains(field))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** A slash in a value is escaped, or two keys could have one name. */
    private String entity(Object keyValue) {
        List<?> values = keyValue instanceof List<?> several ? several : List.of(keyValue);
        if (values.size() != key.size()) {
            throw new IllegalArgumentException("key of %s must have %d values, for %s, but has %d: %s"
                    .formatted(table(), key.size(), String.join(", ", key), values.size(), values));
        }
        return values.stream()
                .map(value -> String.valueOf(value).replace("%", "%25").replace("/", "%2F"))
                .collect(Collectors.joining("/", table() + '/', ""));
    }

    /**
     * {@return the statement that lets a role update what an actor may write, and nothing else}
     *
     * <p>Rights by column only count for a role that has no UPDATE on the whole table: revoke that first.
     *
     * @param role its name, without quotes
     * @throws IllegalStateException when {@link #others} belong to the actor, since a list of columns cannot say that
     */
    public String grantSql(Actor actor, String role) {
        if (others.filter(actor::equals).isPresent()) {
            throw new IllegalStateException(
                    "the rights of %s on %s cannot be listed, since all fields are theirs that are not declared: declare each"
                            .formatted(FieldOwner.of(actor).inWords(), table()));
        }
        List<String> columns = new ArrayList<>(owners.keySet());
        columns.removeIf(field -> !owners.getOrDefault(field, FieldOwner.SHARED).lets(actor));
        if (actor == Actor.EDITOR) {
            version.ifPresent(columns::add);
        }
        return columns.isEmpty()
                ? "-- no field of %s is to be updated by %s".formatted(table(), Identifiers.quote(role))
                : "GRANT UPDATE (%s) ON %s TO %s"
                        .formatted(
                                columns.stream().map(Identifiers::quote).collect(Collectors.joining(", ")),
                                table(),
                                Identifiers.quote(role));
    }

    @Override
    public String toString() {
        return "ownership of " + table();
    }

    /** Collects what is declared; each method changes one thing and returns the same builder. Used by one thread. */
    public static final class Builder {
        private final SqlName table;
        private final List<String> key;
        private final Map<String, FieldOwner> owners = new LinkedHashMap<>();
        private final Map<String, Merge> merges = new LinkedHashMap<>();
        private final Map<String, Set<String>> groups = new LinkedHashMap<>();
        private Optional<String> version = Optional.empty();
        private Optional<Actor> others = Optional.empty();

        private Builder(String table, List<String> key) {
            this.table = SqlName.parse(table)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "table must be a name, with a schema or without, but was \"" + table + "\""));
            this.key = key;
            if (key.isEmpty() || Set.copyOf(key).size() < key.size()) {
                throw new IllegalArgumentException(
                        "the key of %s must have a column or more, each once, but was %s".formatted(table, key));
            }
        }

        /** Names the column that editors' saves compare and count up, of an integer type and NOT NULL. */
        public Builder version(String column) {
            version = Optional.of(column);
            return this;
        }

        /** Gives fields to editors. */
        public Builder editorOwned(String... fields) {
            List.of(fields).forEach(field -> own(field, FieldOwner.EDITOR));
            return this;
        }

        /** Gives fields to the system. */
        public Builder systemOwned(String... fields) {
            List.of(fields).forEach(field -> own(field, FieldOwner.SYSTEM));
            return this;
        }

        /** Gives a field to both, merged like this. */
        public Builder shared(String field, Merge merge) {
            own(field, FieldOwner.SHARED);
            merges.put(field, merge);
            return this;
        }

        /** Gives every field that is not declared to one actor, those too that the table gets later. */
        public Builder others(Actor owner) {
            others = Optional.of(owner);
            return this;
        }

        /** Names some of the fields, each in one group at most: a lease on them excludes none on other groups. */
        public Builder group(String name, String... fields) {
            if (name.isBlank() || fields.length == 0 || groups.containsKey(name)) {
                throw new IllegalArgumentException(
                        "a group of %s must have a name of its own and a field or more, but was \"%s\" with %s"
                                .formatted(table.sql(), name, List.of(fields)));
            }
            groups.put(name, Collections.unmodifiableSet(new LinkedHashSet<>(List.of(fields))));
            return this;
        }

        private void own(String field, FieldOwner owner) {
            FieldOwner before = owners.putIfAbsent(field, owner);
            if (before != null) {
                throw new IllegalArgumentException("field %s of %s belongs to %s already: declare it once"
                        .formatted(field, table.sql(), before.inWords()));
            }
        }

        /**
         * {@return the ownership}
         *
         * @throws IllegalArgumentException when the key or version is declared as a field, a group has a field that is nobody's,
         *     or two groups have the same
         */
        public Ownership build() {
            requireApart();
            Set<String> grouped = new LinkedHashSet<>();
            Ownership built = new Ownership(this);
            groups.forEach((group, fields) -> fields.forEach(field -> {
                built.ownerOf(field);
                if (!grouped.add(field)) {
                    throw new IllegalArgumentException("field %s of %s is in group \"%s\" and in another: put it in one"
                            .formatted(field, table.sql(), group));
                }
            }));
            return built;
        }

        private void requireApart() {
            List<String> apart = new ArrayList<>(key);
            version.ifPresent(apart::add);
            for (String column : apart) {
                if (owners.containsKey(column) || Collections.frequency(apart, column) > 1) {
                    throw new IllegalArgumentException(
                            "column %s of %s is its key or version, which are nobody's: leave it out of the fields"
                                    .formatted(column, table.sql()));
                }
            }
        }
    }
}

package dev.cerrojo.version;

import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.SqlName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A table whose rows have versions.
 *
 * <pre>{@code
 * VersionedTable articles = VersionedTable.of("article", "id").ignoring("updated_at", "row_version");
 * VersionedTable seo = VersionedTable.of("article_seo", "article_id").partOf("article");
 * }</pre>
 *
 * @param table its name as SQL reads it: {@code article}, {@code "Article"}, {@code cms.article}
 * @param keyColumns the columns of its unique key, in the order in which keys are given
 * @param owner the entity that its rows are a part of, whose key is theirs; empty where they are entities themselves. Fields of a
 *     part are named with its table: {@code article_seo.title}
 * @param ignored columns that are no content: a write of these alone changes nothing
 */
public record VersionedTable(String table, List<String> keyColumns, Optional<String> owner, Set<String> ignored) {
    /** Checks the names. */
    public VersionedTable {
        name("table", table);
        keyColumns = List.copyOf(keyColumns);
        ignored = Set.copyOf(ignored);
        if (keyColumns.isEmpty()) {
            throw new IllegalArgumentException("the key of " + table + " must have a column or more, but has none");
        }
        keyColumns.forEach(column -> name("key column", column));
        ignored.forEach(column -> name("ignored column", column));
        if (!Set.copyOf(columnNames(keyColumns)).stream()
                .filter(columnNames(ignored)::contains)
                .toList()
                .isEmpty()) {
            throw new IllegalArgumentException("the key of " + table + " tells its entities apart: do not ignore it");
        }
    }

    private static SqlName name(String what, String text) {
        return SqlName.parse(text)
                .orElseThrow(
                        () -> new IllegalArgumentException("%s must be a name, but was \"%s\"".formatted(what, text)));
    }

    /** {@return a table whose rows are entities, of which each column counts} */
    public static VersionedTable of(String table, String... keyColumns) {
        return new VersionedTable(table, List.of(keyColumns), Optional.empty(), Set.of());
    }

    /** {@return this with more columns that are no content} */
    public VersionedTable ignoring(String... columns) {
        Set<String> all = new TreeSet<>(ignored);
        all.addAll(List.of(columns));
        return new VersionedTable(table, keyColumns, owner, all);
    }

    /** {@return this as a part of an entity that another table is, row by row with the same key} */
    public VersionedTable partOf(String entityType) {
        return new VersionedTable(table, keyColumns, Optional.of(entityType), ignored);
    }

    /** {@return the type of the entities: that which it is a part of, or its name without quotes} */
    public String entityType() {
        return owner.orElseGet(() -> plain(name()));
    }

    /**
     * {@return an entity of it}
     *
     * @param key the values of the key's columns, in their order: numbers, texts, UUIDs and so on
     * @throws IllegalArgumentException when there are more or less values than columns
     */
    public Entity entity(Object... key) {
        if (key.length != keyColumns.size()) {
            throw new IllegalArgumentException("the key of %s is %s, but was given %d values"
                    .formatted(table, String.join(", ", keyColumns), key.length));
        }
        return new Entity(entityType(), key.length == 1 ? key[0].toString() : KeyText.of(List.of(key)));
    }

    SqlName name() {
        return SqlName.of(table);
    }

    /** {@return its name in messages} */
    static String plain(SqlName name) {
        return name.schema().map(schema -> schema + '.').orElse("") + name.name();
    }

    private static List<String> columnNames(Iterable<String> columns) {
        TreeSet<String> names = new TreeSet<>();
        columns.forEach(column -> names.add(SqlName.of(column).name()));
        return List.copyOf(names);
    }

    /** {@return the columns of the key as SQL literals, in their order} */
    List<String> keyLiterals() {
        return keyColumns.stream().map(VersionedTable::literal).toList();
    }

    /** {@return the ignored columns as an SQL array of text} */
    String ignoredArray() {
        return array(ignored.stream().map(VersionedTable::literal).sorted().toList());
    }

    static String array(List<String> literals) {
        return "ARRAY[" + String.join(", ", literals) + "]::text[]";
    }

    private static String literal(String column) {
        return Identifiers.quoteLiteral(SqlName.of(column).name());
    }

    /**
     * {@return a query of {@code entity_key} and {@code image}, the fields as JSON, of the rows of a relation}
     *
     * @param from what follows FROM, with the alias {@code cerrojo_row}
     */
    String images(String from) {
        return "SELECT %s AS entity_key, %s AS image\nFROM (SELECT to_jsonb(cerrojo_row) AS fields FROM %s) AS r"
                .formatted(keyText(), fields(), from);
    }

    private String keyText() {
        return keyColumns.size() == 1
                ? "r.fields ->> " + keyLiterals().get(0)
                : "jsonb_build_array("
                        + keyLiterals().stream()
                                .map(key -> "r.fields -> " + key)
                                .collect(Collectors.joining(", "))
                        + ")::text";
    }

    private String fields() {
        String content = ignored.isEmpty() ? "r.fields" : "r.fields - " + ignoredArray();
        return owner.isEmpty()
                ? content
                : "(SELECT jsonb_object_agg(%s || f.key, f.value) FROM jsonb_each(%s) AS f)"
                        .formatted(Identifiers.quoteLiteral(plain(name()) + '.'), content);
    }
}

package dev.cerrojo.ownership;

import dev.cerrojo.Actor;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.Query;
import dev.cerrojo.internal.RowId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The UPDATE of a write. It changes no row that has all the values already.
 *
 * @param values what is written, shared fields as they were merged
 */
record OwnedUpdate(Ownership ownership, RowId row, Write write, List<ColumnValue> values) {
    /** {@return SQL that asks for the row, with a place for each column of the key} */
    static String isRow(Ownership ownership) {
        return ownership.key().stream()
                .map(column -> Identifiers.quote(column) + " = ?")
                .collect(Collectors.joining(" AND "));
    }

    /** {@return the UPDATE of a row that is at the expected version} */
    Query atVersion() {
        String version = version();
        return update(" AND " + version + " = ?", List.of(write.version().orElseThrow()));
    }

    /** {@return the UPDATE of a row that is locked} */
    Query underLock() {
        return update("", List.of());
    }

    private Query update(String more, List<Object> moreBound) {
        List<@Nullable Object> bound = new ArrayList<>();
        String settings = settings(bound);
        bound.addAll(row.key());
        bound.addAll(moreBound);
        bound.addAll(boundOf(values));
        String sql = "UPDATE %s SET %s WHERE %s%s AND (%s) RETURNING %s"
                .formatted(ownership.table(), settings, isRow(ownership), more, differs(values), returned());
        return new Query(sql, bound);
    }

    private String settings(List<@Nullable Object> bound) {
        List<String> settings = new ArrayList<>();
        for (ColumnValue value : values) {
            settings.add(value.setting());
            bound.add(value.value());
        }
        List<ColumnValue> saved = saved();
        if (!saved.isEmpty()) {
            settings.add("%1$s = CASE WHEN %2$s THEN %1$s + 1 ELSE %1$s END".formatted(version(), differs(saved)));
            bound.addAll(boundOf(saved));
        }
        return String.join(", ", settings);
    }

    /** The version counts what editors save. */
    private List<ColumnValue> saved() {
        boolean counts = write.actor() == Actor.EDITOR && ownership.version().isPresent();
        return values.stream()
                .filter(value -> counts && !ownership.merges().containsKey(value.column()))
                .toList();
    }

    /** {@return a query that finds the row while it has other values} */
    Query stillDiffers() {
        List<@Nullable Object> bound = new ArrayList<>(row.key());
        bound.addAll(boundOf(values));
        return new Query(
                "SELECT 1 AS differs FROM %s WHERE %s AND (%s)"
                        .formatted(ownership.table(), isRow(ownership), differs(values)),
                bound);
    }

    private static String differs(List<ColumnValue> values) {
        return values.stream().map(ColumnValue::differs).collect(Collectors.joining(" OR "));
    }

    private static List<Object> boundOf(List<ColumnValue> values) {
        return values.stream().flatMap(value -> value.bound().stream()).toList();
    }

    private String version() {
        return Identifiers.quote(ownership.version().orElseThrow());
    }

    private String returned() {
        return ownership.version().map(Identifiers::quote).orElse("1 AS written");
    }
}

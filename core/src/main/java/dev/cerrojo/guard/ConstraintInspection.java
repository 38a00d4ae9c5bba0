package dev.cerrojo.guard;

import dev.cerrojo.internal.CatalogRow;
import dev.cerrojo.internal.Fingerprint;
import dev.cerrojo.schema.Finding;
import dev.cerrojo.schema.Finding.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compares a constraint with what is in the catalog. An index cannot be altered, only made anew, and then it lacks the
 * comment that tells the definition it was made from; but its columns can be renamed, and others take their names.
 */
final class ConstraintInspection implements Inspection {
    private static final String FOUND = """
            SELECT i.indisvalid AND i.indisready AND i.indislive AND coalesce(k.convalidated, true) AS valid,
              k.oid IS NOT NULL AS is_constraint, i.indisunique AS is_unique, i.indisexclusion AS is_exclusion,
              i.indpred IS NOT NULL AS partial, i.indnatts AS elements,
              (SELECT string_agg(a.attname, chr(1)) FROM pg_attribute AS a
                WHERE a.attrelid = i.indrelid AND a.attnum IN (SELECT d.refobjsubid FROM pg_depend AS d
                  WHERE d.classid IN ('pg_class'::regclass, 'pg_constraint'::regclass)
                    AND d.objid IN (i.indexrelid, k.oid) AND d.refclassid = 'pg_class'::regclass
                    AND d.refobjid = i.indrelid AND d.refobjsubid > 0)) AS columns,
              coalesce(k.condeferrable, false) AS deferrable, coalesce(k.condeferred, false) AS deferred,
              coalesce(obj_description(k.oid, 'pg_constraint'), obj_description(i.indexrelid, 'pg_class')) AS comment
            FROM pg_index AS i
            JOIN pg_class AS c ON c.oid = i.indexrelid
            LEFT JOIN pg_constraint AS k ON k.conindid = i.indexrelid AND k.contype IN ('u', 'x', 'p')
            WHERE i.indrelid = to_regclass(?) AND c.relname = ?""";

    private final Connection connection;
    private final NativeConstraint guard;
    private final List<Finding> findings = new ArrayList<>();

    ConstraintInspection(Connection connection, NativeConstraint guard) {
        this.connection = connection;
        this.guard = guard;
    }

    @Override
    public List<Finding> findings() throws SQLException {
        Optional<CatalogRow> found = CatalogRow.of(
                        connection, FOUND, guard.table(), guard.invariant().name())
                .stream()
                .findFirst();
        if (found.isEmpty()) {
            add(Kind.NOT_INSTALLED, "%s has no constraint or unique index %s: install it", guard.table());
        } else {
            compare(found.get());
        }
        return findings;
    }

    private void compare(CatalogRow found) {
        Optional<String> fingerprint = Fingerprint.in(found.text("comment"));
        if (fingerprint.isPresent() && !fingerprint.get().equals(guard.fingerprint())) {
            add(
                    Kind.OTHER_DEFINITION,
                    "constraint %2$s on %1$s was installed from another definition of the invariant: replace it",
                    guard.table());
        } else if (fingerprint.isEmpty() || !sameShape(found)) {
            add(
                    Kind.CONSTRAINT_CHANGED,
                    "constraint %2$s on %1$s is not as Cerrojo makes it, or was made by hand: replace it",
                    guard.table());
        }
        if (!found.is("valid")) {
            add(
                    Kind.CONSTRAINT_NOT_VALID,
                    "constraint %2$s on %1$s is not valid, so it does not count: replace it",
                    guard.table());
        }
        if (found.is("deferrable") != guard.deferred() || found.is("deferred") != guard.deferred()) {
            add(
                    Kind.DEFERRABILITY,
                    "constraint %2$s on %1$s must be %3$s, but is %4$s: replace it",
                    guard.table(),
                    guard.deferred() ? "DEFERRABLE INITIALLY DEFERRED" : "checked at once",
                    found.is("deferrable") ? "DEFERRABLE" : "NOT DEFERRABLE");
        }
    }

    private boolean sameShape(CatalogRow found) {
        return (found.is("is_unique") || found.is("is_exclusion"))
                && found.is("partial") == guard.isPartial()
                && found.text("elements").equals(Integer.toString(guard.elementCount()))
                && guard.names().containsAll(columns(found));
    }

    private static List<String> columns(CatalogRow found) {
        String columns = found.text("columns");
        return columns.isEmpty() ? List.of() : List.of(columns.split("\1"));
    }

    private void add(Kind kind, String message, String table, Object... more) {
        List<Object> values = new ArrayList<>(List.of(table, guard.invariant().name()));
        values.addAll(List.of(more));
        findings.add(new Finding(kind, guard.invariant().name(), message.formatted(values.toArray())));
    }

    @Override
    public List<String> problemQueries() {
        return guard.preflight().constraintProblemQueries();
    }
}

package dev.cerrojo.guard;

import dev.cerrojo.internal.CatalogRow;
import dev.cerrojo.internal.Fingerprint;
import dev.cerrojo.internal.PlpgsqlFunction;
import dev.cerrojo.schema.Finding;
import dev.cerrojo.schema.Finding.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Compares the functions of a guard with those in the catalog. */
final class FunctionInspection {
    private final TriggerGuard guard;
    private final List<CatalogRow> found;
    private final List<Finding> findings = new ArrayList<>();

    FunctionInspection(Connection connection, TriggerGuard guard) throws SQLException {
        this.guard = guard;
        List<String> names =
                expected(guard, false).stream().map(PlpgsqlFunction::name).toList();
        this.found = CatalogRow.all(
                connection, PlpgsqlFunction.catalogQuery(guard.options().ownSchema(), names));
    }

    private static List<PlpgsqlFunction> expected(TriggerGuard guard, boolean deferred) {
        List<PlpgsqlFunction> functions = new ArrayList<>(List.of(guard.checkFunction(deferred), guard.touchFirst()));
        guard.touchTriggers().forEach(triggers -> functions.add(triggers.function()));
        return functions;
    }

    boolean nothingThere() {
        return found.isEmpty();
    }

    /**
     * {@return what differs}
     *
     * @param deferred whether the check is deferred as it is installed: that alone is no other text
     */
    List<Finding> findings(boolean deferred) {
        for (PlpgsqlFunction function : expected(guard, deferred)) {
            row(function).ifPresentOrElse(row -> compare(function, row), () -> missing(function));
        }
        if (found.stream().anyMatch(this::isOther)) {
            add(
                    Kind.OTHER_DEFINITION,
                    guard.invariant().name(),
                    "the guard of invariant %s was installed from another definition of it, or by another version of"
                            + " Cerrojo: replace it",
                    guard.invariant().name());
        }
        compareOwners();
        return findings;
    }

    private Optional<CatalogRow> row(PlpgsqlFunction function) {
        return found.stream().filter(function::isNamedLike).findFirst();
    }

    private void missing(PlpgsqlFunction function) {
        add(Kind.FUNCTION_MISSING, function.sql(), "function %s is missing: replace the guard", function.sql());
    }

    private boolean isOther(CatalogRow row) {
        return Fingerprint.in(row.text("comment"))
                .filter(fingerprint -> !fingerprint.equals(guard.fingerprint()))
                .isPresent();
    }

    private void compare(PlpgsqlFunction function, CatalogRow row) {
        if (!isOther(row)) {
            function.differences(row).forEach(how -> changed(function, how));
        }
    }

    private void changed(PlpgsqlFunction function, String how) {
        add(
                Kind.FUNCTION_CHANGED,
                function.sql(),
                "function %s is not as Cerrojo makes it: %s; replace the guard",
                function.sql(),
                how);
    }

    private void compareOwners() {
        Optional<CatalogRow> check = row(guard.checkFunction());
        found.stream()
                .filter(row -> check.isPresent()
                        && !row.text("owner").equals(check.get().text("owner")))
                .forEach(row -> add(
                        Kind.OWNER_CHANGED,
                        row.text("name"),
                        "function %s belongs to %s, but the check to %s: who owns a function can change it; give all to"
                                + " one role",
                        row.text("name"),
                        row.text("owner"),
                        check.get().text("owner")));
    }

    private void add(Kind kind, String object, String message, Object... values) {
        findings.add(new Finding(kind, object, message.formatted(values)));
    }
}

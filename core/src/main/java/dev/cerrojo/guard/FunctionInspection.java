package dev.cerrojo.guard;

import dev.cerrojo.guard.Finding.Kind;
import dev.cerrojo.internal.CatalogRow;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.Template;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Compares the functions of a guard with those in the catalog. */
final class FunctionInspection {
    private static final Template FUNCTIONS = new Template("""
            SELECT p.proname AS name, p.prosrc AS body, p.provolatile AS volatility, p.prosecdef AS as_owner,
              l.lanname AS language, pg_get_userbyid(p.proowner) AS owner,
              p.pronargs AS arguments, pg_get_function_result(p.oid) AS returns,
              array_to_string(p.proconfig, chr(1)) AS settings, obj_description(p.oid, 'pg_proc') AS comment
            FROM pg_proc AS p
            JOIN pg_namespace AS n ON n.oid = p.pronamespace
            JOIN pg_language AS l ON l.oid = p.prolang
            WHERE n.nspname = {schema} AND p.proname IN ({names})""");

    /** {@code chr(1)}, which no name has that is meant well. */
    private static final String SEPARATOR = "\1";

    private final TriggerGuard guard;
    private final List<CatalogRow> found;
    private final List<Finding> findings = new ArrayList<>();

    FunctionInspection(Connection connection, TriggerGuard guard) throws SQLException {
        this.guard = guard;
        String names = expected(guard, false).stream()
                .map(GuardFunction::name)
                .map(Identifiers::quoteLiteral)
                .collect(Collectors.joining(", "));
        String schema = Identifiers.quoteLiteral(guard.options().ownSchema());
        this.found = CatalogRow.all(connection, FUNCTIONS.fill(Map.of("schema", schema, "names", names)));
    }

    private static List<GuardFunction> expected(TriggerGuard guard, boolean deferred) {
        List<GuardFunction> functions = new ArrayList<>(List.of(guard.checkFunction(deferred), guard.touchFirst()));
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
        for (GuardFunction function : expected(guard, deferred)) {
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

    private Optional<CatalogRow> row(GuardFunction function) {
        int arguments = function.arguments().isEmpty() ? 0 : 1;
        return found.stream()
                .filter(row -> row.text("name").equals(function.name())
                        && row.text("arguments").equals(Integer.toString(arguments)))
                .findFirst();
    }

    private void missing(GuardFunction function) {
        add(Kind.FUNCTION_MISSING, function.sql(), "function %s is missing: replace the guard", function.sql());
    }

    private boolean isOther(CatalogRow row) {
        return Scripts.fingerprintIn(row.text("comment"))
                .filter(fingerprint -> !fingerprint.equals(guard.fingerprint()))
                .isPresent();
    }

    private void compare(GuardFunction function, CatalogRow row) {
        if (isOther(row)) {
            return;
        }
        if (!sameText(function.body(), row.text("body"))) {
            changed(function, "its text is another one");
        }
        if (!row.text("language").equals("plpgsql") || !row.text("returns").equals(function.returns())) {
            changed(
                    function,
                    "it is in language %s and returns %s".formatted(row.text("language"), row.text("returns")));
        }
        if (!row.text("volatility").equals("v")) {
            changed(function, "it is not VOLATILE, so it reads with the snapshot of the statement that fired it");
        }
        if (row.is("as_owner")) {
            changed(function, "it is SECURITY DEFINER");
        }
        Set<String> settings = Arrays.stream(row.text("settings").split(SEPARATOR))
                .map(setting -> setting.split("=", 2))
                .map(setting -> setting(setting[0], setting[setting.length - 1]))
                .collect(Collectors.toSet());
        if (!settings.equals(settings(function))) {
            changed(function, "its settings are " + row.text("settings").replace(SEPARATOR, ", "));
        }
    }

    private static Set<String> settings(GuardFunction function) {
        return function.settings().entrySet().stream()
                .map(setting -> setting(setting.getKey(), setting.getValue()))
                .collect(Collectors.toSet());
    }

    /** In one form: the catalog has strings without quotes, and names in quotes where its own version needs them. */
    private static String setting(String name, String value) {
        String plain = value.replaceAll("^'(.*)'$", "$1").replaceAll("\"([a-z_][a-z0-9_]*)\"", "$1");
        return name.toLowerCase(Locale.ROOT) + '=' + plain;
    }

    private static boolean sameText(String expected, String actual) {
        return expected.replace("\r", "").equals(actual.replace("\r", ""));
    }

    private void changed(GuardFunction function, String how) {
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

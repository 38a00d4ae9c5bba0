package dev.cerrojo.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A function that triggers call, in PL/pgSQL, VOLATILE and with the rights of whoever calls it.
 *
 * @param schema the schema it is in
 * @param name its name
 * @param arguments its argument as SQL declares it; empty for none
 * @param returns what it returns
 * @param settings the settings that it fixes, name → value as SQL writes it
 * @param body its text
 */
public record PlpgsqlFunction(
        String schema, String name, String arguments, String returns, Map<String, String> settings, String body) {
    private static final Template CREATE = new Template("""
            CREATE FUNCTION {function}({arguments}) RETURNS {returns} LANGUAGE plpgsql VOLATILE
              {settings} AS {body}""");

    private static final Template FOUND = new Template("""
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

    /** {@return its qualified name as SQL text} */
    public String sql() {
        return Identifiers.quote(schema) + '.' + Identifiers.quote(name);
    }

    /** {@return the statement that makes it} */
    public String createSql() {
        return CREATE.fill(Map.of(
                "function", sql(),
                "arguments", arguments,
                "returns", returns,
                "settings",
                        settings.entrySet().stream()
                                .map(setting -> "SET " + setting.getKey() + " = " + setting.getValue())
                                .collect(Collectors.joining(" ")),
                "body", Identifiers.dollarQuote(body)));
    }

    /** {@return the statement that drops it where it is} */
    public String dropSql() {
        return "DROP FUNCTION IF EXISTS " + sql() + (arguments.isEmpty() ? "()" : "");
    }

    /** {@return a query of functions of these names in the catalog, for {@link #isNamedLike} and {@link #differences}} */
    public static String catalogQuery(String schema, List<String> names) {
        return FOUND.fill(Map.of(
                "schema", Identifiers.quoteLiteral(schema),
                "names", names.stream().map(Identifiers::quoteLiteral).collect(Collectors.joining(", "))));
    }

    /** {@return whether a row of the catalog is that of the function with this name and number of arguments} */
    public boolean isNamedLike(CatalogRow row) {
        return row.text("name").equals(name) && row.text("arguments").equals(arguments.isEmpty() ? "0" : "1");
    }

    /** {@return in what a function of the catalog differs from this one, each in words; empty when in nothing} */
    public List<String> differences(CatalogRow row) {
        List<String> found = new ArrayList<>();
        if (!sameText(body, row.text("body"))) {
            found.add("its text is another one");
        }
        if (!row.text("language").equals("plpgsql") || !row.text("returns").equals(returns)) {
            found.add("it is in language %s and returns %s".formatted(row.text("language"), row.text("returns")));
        }
        if (!row.text("volatility").equals("v")) {
            found.add("it is not VOLATILE, so it reads with the snapshot of the statement that fired it");
        }
        if (row.is("as_owner")) {
            found.add("it is SECURITY DEFINER");
        }
        if (!settingsIn(row).equals(expectedSettings())) {
            found.add("its settings are " + row.text("settings").replace(SEPARATOR, ", "));
        }
        return found;
    }

    private static Set<String> settingsIn(CatalogRow row) {
        return Arrays.stream(row.text("settings").split(SEPARATOR))
                .map(setting -> setting.split("=", 2))
                .map(setting -> setting(setting[0], setting[setting.length - 1]))
                .collect(Collectors.toSet());
    }

    private Set<String> expectedSettings() {
        return settings.entrySet().stream()
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
}

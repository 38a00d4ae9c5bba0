package dev.cerrojo.guard;

import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.Template;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A function of a guard, in PL/pgSQL, VOLATILE and with the rights of whoever calls it.
 *
 * @param schema the schema it is in
 * @param name its name
 * @param arguments its argument as SQL declares it; empty for none
 * @param returns what it returns
 * @param settings the settings that it fixes, name → value as SQL writes it
 * @param body its text
 */
record GuardFunction(
        String schema, String name, String arguments, String returns, Map<String, String> settings, String body) {
    private static final Template CREATE = new Template("""
            CREATE FUNCTION {function}({arguments}) RETURNS {returns} LANGUAGE plpgsql VOLATILE
              {settings} AS {body}""");

    /** {@return its qualified name as SQL text} */
    String sql() {
        return Identifiers.quote(schema) + '.' + Identifiers.quote(name);
    }

    String createSql() {
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

    String dropSql() {
        return "DROP FUNCTION IF EXISTS " + sql() + (arguments.isEmpty() ? "()" : "");
    }
}

package dev.cerrojo.version;

import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.Template;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The names of the tables of versions, as SQL text.
 *
 * @param schema the schema that they are in
 */
record VersionTables(String schema) {
    String head() {
        return qualified("version_head");
    }

    String version() {
        return qualified("version");
    }

    String log() {
        return qualified("operation_log");
    }

    /** {@return a statement with {@code {head}}, {@code {version}} and {@code {log}} filled in} */
    String sql(String template) {
        return sql(template, Map.of());
    }

    /** {@return the same with more places} */
    String sql(String template, Map<String, String> more) {
        Map<String, String> values = new LinkedHashMap<>(more);
        values.put("head", head());
        values.put("version", version());
        values.put("log", log());
        return new Template(template).fill(values);
    }

    private String qualified(String name) {
        return Identifiers.quote(schema) + '.' + name;
    }
}

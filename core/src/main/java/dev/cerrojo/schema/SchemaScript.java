package dev.cerrojo.schema;

import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.internal.Identifiers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One versioned script of Cerrojo's own tables. It is also a Flyway migration, in {@code classpath:dev/cerrojo/schema}:
 * it names the schema {@code cerrojo}, which stands for another one when it is printed or run for that.
 *
 * @param version 1, 2, …
 * @param file its name in the jar
 */
record SchemaScript(int version, String file) {
    /** All of them, in order. The next one is added here, and its checksum to the test; none is ever changed. */
    static final List<SchemaScript> ALL = List.of(
            new SchemaScript(1, "V1__cerrojo_guard.sql"),
            new SchemaScript(2, "V2__cerrojo_lease.sql"),
            new SchemaScript(3, "V3__cerrojo_idempotency.sql"),
            new SchemaScript(4, "V4__cerrojo_version.sql"));

    private static final Pattern SCHEMA = Pattern.compile("\\b" + GuardTable.DEFAULT_SCHEMA + "\\b");

    static int newest() {
        return ALL.get(ALL.size() - 1).version();
    }

    /** {@return the text as it is shipped} */
    String text() {
        try (InputStream in = Objects.requireNonNull(SchemaScript.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the text for a schema} */
    String sql(String schema) {
        return SCHEMA.matcher(text()).replaceAll(Matcher.quoteReplacement(Identifiers.quote(schema)));
    }
}

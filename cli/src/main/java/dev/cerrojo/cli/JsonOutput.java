package dev.cerrojo.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Prints what a command about invariants found as JSON: {@code docs/guard-report.schema.json}. */
final class JsonOutput {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .build();

    private JsonOutput() {}

    /** What is printed. */
    private record Document(
            int schemaVersion, String command, String cerrojoVersion, int exitCode, List<?> invariants) {}

    /** Prints what a command about Cerrojo's own tables did: {@code docs/schema-report.schema.json}. */
    static void print(Terminal terminal, String command, int exitCode, Map<String, ?> facts) {
        Map<String, Object> document = new LinkedHashMap<>(facts);
        document.put("schemaVersion", 1);
        document.put("command", command);
        document.put("cerrojoVersion", Version.text());
        document.put("exitCode", exitCode);
        terminal.out().println(MAPPER.writeValueAsString(document));
    }

    static void print(Terminal terminal, String command, int exitCode, List<?> invariants) {
        terminal.out()
                .println(MAPPER.writeValueAsString(new Document(1, command, Version.text(), exitCode, invariants)));
    }
}

package dev.cerrojo.cli;

import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Prints JSON. */
final class JsonOutput {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .build();

    private JsonOutput() {}

    static void print(Terminal terminal, Object value) {
        terminal.out().println(MAPPER.writeValueAsString(value));
    }
}

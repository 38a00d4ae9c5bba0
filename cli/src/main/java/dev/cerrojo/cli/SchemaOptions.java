package dev.cerrojo.cli;

import dev.cerrojo.schema.Schema;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which of Cerrojo's own tables a command is about. */
final class SchemaOptions {
    @Mixin
    private final OwnSchemaOption ownSchema = new OwnSchemaOption();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "text, or json (docs/schema-report.schema.json). Default: text.")
    private OutputOptions.Format format = OutputOptions.Format.TEXT;

    @Option(names = "--stacktrace", description = "Show the stack trace of an error.")
    private boolean stacktrace;

    String ownSchema() {
        return ownSchema.name();
    }

    boolean json() {
        return format == OutputOptions.Format.JSON;
    }

    /** Prints as JSON what a command did. */
    void print(Terminal terminal, String command, int exitCode, String key, @Nullable Object value) {
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        facts.put("ownSchema", ownSchema());
        facts.put("version", Schema.version());
        facts.put(key, value);
        JsonOutput.print(terminal, command, exitCode, facts);
    }

    /** Whoever shows errors asks the command line itself, since this may not have been read. */
    boolean stacktrace() {
        return stacktrace;
    }
}

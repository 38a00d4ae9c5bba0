package dev.cerrojo.cli;

import dev.cerrojo.guard.GuardOptions;
import picocli.CommandLine.Option;

/** Which of Cerrojo's own tables a command is about. */
final class SchemaOptions {
    @Option(
            names = "--own-schema",
            paramLabel = "SCHEMA",
            description = "The schema of Cerrojo's own objects. Default: cerrojo.")
    private String ownSchema = GuardOptions.defaults().ownSchema();

    @Option(names = "--stacktrace", description = "Show the stack trace of an error.")
    private boolean stacktrace;

    String ownSchema() {
        return ownSchema;
    }

    /** Whoever shows errors asks the command line itself, since this may not have been read. */
    boolean stacktrace() {
        return stacktrace;
    }
}

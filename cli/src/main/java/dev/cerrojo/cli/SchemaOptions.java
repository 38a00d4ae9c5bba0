package dev.cerrojo.cli;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which of Cerrojo's own tables a command is about. */
final class SchemaOptions {
    @Mixin
    private final OwnSchemaOption ownSchema = new OwnSchemaOption();

    @Option(names = "--stacktrace", description = "Show the stack trace of an error.")
    private boolean stacktrace;

    String ownSchema() {
        return ownSchema.name();
    }

    /** Whoever shows errors asks the command line itself, since this may not have been read. */
    boolean stacktrace() {
        return stacktrace;
    }
}

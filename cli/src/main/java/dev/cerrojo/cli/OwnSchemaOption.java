package dev.cerrojo.cli;

import dev.cerrojo.guard.GuardOptions;
import picocli.CommandLine.Option;

/** Where Cerrojo's own objects are. */
final class OwnSchemaOption {
    @Option(
            names = "--own-schema",
            paramLabel = "SCHEMA",
            description = "The schema of Cerrojo's own objects. Default: cerrojo.")
    private String name = GuardOptions.defaults().ownSchema();

    String name() {
        return name;
    }
}

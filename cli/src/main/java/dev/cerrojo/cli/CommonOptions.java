package dev.cerrojo.cli;

import picocli.CommandLine.Mixin;

/** What all commands that explore have in common. */
final class CommonOptions {
    @Mixin
    private final SearchOptions search = new SearchOptions();

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    SearchOptions search() {
        return search;
    }

    ServerOptions server() {
        return server;
    }

    OutputOptions output() {
        return output;
    }
}

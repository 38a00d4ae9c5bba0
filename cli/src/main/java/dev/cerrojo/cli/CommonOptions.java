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

    @Mixin
    private final FileOptions files = new FileOptions();

    /**
     * Checks what the types of the options do not.
     *
     * @throws CommandFailedException if one is out of its bounds, or two exclude each other
     */
    void check(Terminal terminal) {
        search.bounds();
        server.url(terminal);
        server.major();
    }

    SearchOptions search() {
        return search;
    }

    ServerOptions server() {
        return server;
    }

    OutputOptions output() {
        return output;
    }

    FileOptions files() {
        return files;
    }
}

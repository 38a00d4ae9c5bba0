package dev.cerrojo.cli;

import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.report.Look;
import dev.cerrojo.explorer.search.Bounds;
import java.util.function.Function;

/** What the work on one file needs. */
final class Bench {
    private final Server server;
    private final Bounds bounds;
    private final ProgressLine progress;
    private final Terminal terminal;
    private final OutputOptions output;
    private final Look look;

    Bench(Server server, Bounds bounds, ProgressLine progress, Terminal terminal, OutputOptions output) {
        this.server = server;
        this.bounds = bounds;
        this.progress = progress;
        this.terminal = terminal;
        this.output = output;
        this.look = output.look(terminal);
    }

    Server server() {
        return server;
    }

    Bounds bounds() {
        return bounds;
    }

    ProgressLine progress() {
        return progress;
    }

    /** Prints text, unless JSON was asked for. */
    void print(Function<Look, String> text) {
        progress.erase();
        if (!output.json()) {
            terminal.out().print(text.apply(look));
            terminal.out().flush();
        }
    }
}

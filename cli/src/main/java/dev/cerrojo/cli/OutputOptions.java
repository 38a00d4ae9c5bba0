package dev.cerrojo.cli;

import dev.cerrojo.explorer.report.Look;
import dev.cerrojo.explorer.report.Style;
import picocli.CommandLine.Option;

/** How a command shows what it found. */
final class OutputOptions {
    /** How a report is written. */
    enum Format {
        TEXT,
        JSON
    }

    /** When a text report is coloured. */
    enum Color {
        AUTO,
        ALWAYS,
        NEVER
    }

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "text, or json (docs/report.schema.json). Default: text.")
    private Format format = Format.TEXT;

    @Option(names = "--json", description = "The same as --format json.")
    private boolean json;

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            description = "auto, always or never. Auto is colour on a terminal, unless NO_COLOR is set. Default: auto.")
    private Color color = Color.AUTO;

    @Option(names = "--stacktrace", description = "Show the stack trace of an error.")
    private boolean stacktrace;

    boolean json() {
        return json || format == Format.JSON;
    }

    boolean stacktrace() {
        return stacktrace;
    }

    Look look(Terminal terminal) {
        return new Look(style(terminal), terminal.unicode(), terminal.width());
    }

    private Style style(Terminal terminal) {
        return switch (color) {
            case ALWAYS -> Style.ANSI;
            case NEVER -> Style.PLAIN;
            case AUTO ->
                terminal.outIsTerminal()
                                && !terminal.isDumb()
                                && terminal.variable("NO_COLOR").isEmpty()
                        ? Style.ANSI
                        : Style.PLAIN;
        };
    }
}

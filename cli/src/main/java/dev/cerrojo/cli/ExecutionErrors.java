package dev.cerrojo.cli;

import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Says why a command failed.
 *
 * @param terminal where
 * @param interruption whether it was asked to end: then what fails on the way is no news
 */
record ExecutionErrors(Terminal terminal, Interruption interruption) implements IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(Exception thrown, CommandLine line, ParseResult parsed) {
        Failure failure = Failure.of(thrown);
        if (interruption.explains(failure)) {
            terminal.err().println("interrupted");
            return ExitCode.INTERRUPTED;
        }
        new ErrorOutput(terminal, asksForStacktrace(parsed)).print(failure, thrown);
        return failure.exitCode();
    }

    private static boolean asksForStacktrace(ParseResult parsed) {
        return parsed.hasMatchedOption("--stacktrace")
                || (parsed.hasSubcommand() && asksForStacktrace(parsed.subcommand()));
    }
}

package dev.cerrojo.cli;

import dev.cerrojo.explorer.scenario.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Says what is wrong with a command line, what was probably meant, and where to read more.
 *
 * @param terminal where
 */
record UsageErrors(Terminal terminal) implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException e, String[] args) {
        CommandLine line = e.getCommandLine();
        String message = e instanceof UnmatchedArgumentException unmatched
                        && !unmatched.getUnmatched().isEmpty()
                ? unmatched(line, unmatched.getUnmatched().get(0))
                : String.valueOf(e.getMessage());
        terminal.err().println("error: " + message);
        terminal.err().println("See: " + line.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }

    private static String unmatched(CommandLine line, String word) {
        boolean option = word.startsWith("-");
        String name = option && word.indexOf('=') > 0 ? word.substring(0, word.indexOf('=')) : word;
        List<String> known =
                option ? options(line) : new ArrayList<>(line.getSubcommands().keySet());
        String what = option ? "unknown option " : known.isEmpty() ? "unexpected argument " : "unknown command ";
        return what
                + name
                + Nearest.to(name, known)
                        .map(near -> ": did you mean " + near + "?")
                        .orElseGet(() -> all(known));
    }

    private static List<String> options(CommandLine line) {
        return line.getCommandSpec().options().stream()
                .flatMap(option -> List.of(option.names()).stream())
                .toList();
    }

    private static String all(List<String> known) {
        return known.isEmpty() ? "" : known.stream().sorted().collect(Collectors.joining(", ", " (known: ", ")"));
    }
}

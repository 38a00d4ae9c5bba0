package dev.cerrojo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The guide says all that the command line can do, and nothing else. */
class GuideTest {
    private static String guide() throws IOException {
        return Files.readString(Path.of("..", "docs", "guide", "command-line.md"));
    }

    private static CommandLine commandLine() {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return Main.commandLine(new Terminal(nowhere, nowhere, false, false, true, Map.of()), new Interruption());
    }

    private static Stream<CommandLine> commands() {
        return commandLine().getSubcommands().values().stream()
                .flatMap(command -> Stream.concat(Stream.of(command), command.getSubcommands().values().stream()));
    }

    private static List<String> options() {
        return commands()
                .flatMap(command -> command.getCommandSpec().options().stream())
                .flatMap(option -> Stream.of(option.names()))
                .distinct()
                .toList();
    }

    @Test
    void everyCommandAndOptionIsInIt() throws IOException {
        String guide = guide();

        assertThat(commandLine().getSubcommands().keySet())
                .allSatisfy(name -> assertThat(guide).contains("`" + name));
        assertThat(options()).allSatisfy(name -> assertThat(guide).containsPattern("`" + name + "[` ]"));
    }

    @Test
    void everyOptionInItExists() throws IOException {
        List<String> mentioned = guide().lines()
                .filter(line -> line.startsWith("| `--"))
                .map(line -> line.replaceAll("^\\| `(--[a-z-]+).*", "$1"))
                .toList();

        assertThat(options()).containsAll(mentioned);
        assertThat(mentioned).hasSizeGreaterThan(10);
    }

    @Test
    void everyExitCodeIsInIt() throws IOException {
        String guide = guide();

        assertThat(List.of(0, 1, 2, 3, 4, 5, 130))
                .allSatisfy(code -> assertThat(guide).contains("\n| " + code + " | "));
    }
}

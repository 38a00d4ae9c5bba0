package dev.cerrojo.cli;

import dev.cerrojo.explorer.repair.Repairer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cerrojo repair}: tries every repair of a scenario. */
@Command(
        name = "repair",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Checks scenario files, tries every repair at every isolation level, popular ideas that fail included,"
                        + " and recommends one.")
final class RepairCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final Interruption interruption;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Scenario files.")
    private List<Path> files = List.of();

    @Option(
            names = "--explain",
            paramLabel = "CANDIDATE",
            description =
                    "Try only this candidate, as the table names it (such as touch or user-1), and show what it changes"
                            + " and, at each isolation level, the schedule that breaks it.")
    private @Nullable String explain;

    @Option(
            names = "--no-gates",
            description = "Do not try what holds between statements inside of statements and COMMITs too.")
    private boolean withoutGates;

    @Mixin
    private final CostOptions cost = new CostOptions();

    @Mixin
    private final WriteOptions write = new WriteOptions();

    @Mixin
    private final MarkdownOptions markdown = new MarkdownOptions();

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private final CommonOptions options = new CommonOptions();

    RepairCommand(Terminal terminal, Interruption interruption) {
        this.terminal = terminal;
        this.interruption = interruption;
    }

    @Override
    public Integer call() {
        if (explain != null && options.files().html().isPresent()) {
            throw CommandFailedException.usage(
                    "--html shows every candidate, with its schedules, and excludes --explain");
        }
        Optional<Path> folder = write.folder();
        if (explain != null && folder.isPresent()) {
            throw CommandFailedException.usage(
                    "--write writes what is recommended of all candidates, and excludes --explain");
        }
        if (explain != null && markdown.file().isPresent()) {
            throw CommandFailedException.usage("--markdown tells of every candidate, and excludes --explain");
        }
        markdown.check();
        MarkdownOutput document = document();
        Repairer.Inside inside = withoutGates ? Repairer.Inside.SKIPPED : Repairer.Inside.TRIED;
        FileTask task = explain == null
                ? new RepairTask(
                        inside,
                        cost.measuring(),
                        folder.map(into -> new WriteTask(into, write.force(), inside)),
                        document)
                : new ExplainTask(explain, inside);
        int exitCode = new Batch("repair", terminal, interruption, options).run(files, UnaryOperator.identity(), task);
        document.write(files);
        return exitCode;
    }

    private MarkdownOutput document() {
        List<String> words = Objects.requireNonNull(spec)
                .root()
                .commandLine()
                .getParseResult()
                .originalArgs();
        return new MarkdownOutput(markdown, options.files(), options.server().url(terminal), words);
    }
}

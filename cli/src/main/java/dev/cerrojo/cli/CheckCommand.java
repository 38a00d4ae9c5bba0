package dev.cerrojo.cli;

import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.scenario.Nearest;
import dev.cerrojo.explorer.scenario.Repair;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.search.Sample;
import dev.cerrojo.explorer.search.Shard;
import dev.cerrojo.tx.Isolation;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cerrojo check}: explores every schedule of scenario files. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Runs the transactions of scenario files in every order on a real PostgreSQL, and shows the shortest"
                        + " schedule that violates an invariant.")
final class CheckCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final Interruption interruption;

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "Scenario files, and specifications of" + " PostgreSQL's isolation tester (.spec).")
    private List<Path> files = List.of();

    @Option(
            names = "--isolation",
            paramLabel = "LEVEL",
            converter = IsolationConverter.class,
            description = "Run every transaction at this level instead of its own: read-committed, repeatable-read or"
                    + " serializable (or rc, rr, ser).")
    private @Nullable Isolation isolation;

    @Option(
            names = "--repair",
            paramLabel = "NAME",
            description = "Explore the file's repair of this name instead of the file as it stands.")
    private @Nullable String repair;

    @Option(
            names = "--replay",
            paramLabel = "SCHEDULE",
            converter = ReplayTokenConverter.class,
            description = "Run only this schedule, as a report prints it (such as 1:AABB), and show it.")
    private @Nullable ReplayToken replay;

    @Option(
            names = "--expectations",
            description =
                    "Compare what is found with what the files expect, a line per case; stop each search as soon as"
                            + " that is decided.")
    private boolean expectations;

    @Option(
            names = "--shard",
            paramLabel = "I/N",
            converter = ShardConverter.class,
            description =
                    "Explore only part I of N, such as 2/4: all N parts together are the whole, on as many machines.")
    private @Nullable Shard shard;

    @Option(
            names = "--random",
            paramLabel = "N",
            description = "Run N schedules by chance instead of all; without a violation the result is inconclusive.")
    private @Nullable Long random;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Where the chance of --random comes from: a report tells the seed that repeats it.")
    private @Nullable Long seed;

    @Option(
            names = "--verify-reduction",
            description =
                    "Explore each run twice at every isolation level, each schedule and one of all that cannot be told"
                            + " apart, and compare what both end with.")
    private boolean verifyReduction;

    @Option(
            names = "--as-listed",
            description =
                    "Run the permutations that specifications list, as they list them, and print what PostgreSQL's own"
                            + " isolation tester prints.")
    private boolean asListed;

    @Mixin
    private final CommonOptions options = new CommonOptions();

    CheckCommand(Terminal terminal, Interruption interruption) {
        this.terminal = terminal;
        this.interruption = interruption;
    }

    @Override
    public Integer call() {
        checkOptions();
        if (replay != null) {
            return batch("replay").run(files, this::chosen, new ReplayTask(replay, repeated(), specTask()));
        }
        if (expectations) {
            ExpectationsTask task = new ExpectationsTask(repair);
            return task.finish(batch("expectations").run(files, this::checked, task), terminal, options.output());
        }
        if (verifyReduction) {
            return batch("reduction").run(files, this::chosen, new ReductionTask());
        }
        return batch("check").run(files, this::chosen, new CheckTask(repeated(), specTask(), part()));
    }

    private CheckTask.Part part() {
        if (random != null && random < 1) {
            throw CommandFailedException.usage("--random must be at least 1, but was " + random);
        }
        Optional<Sample> sample = Optional.ofNullable(random)
                .map(schedules -> new Sample(schedules, seed == null ? new SecureRandom().nextInt(1_000_000) : seed));
        return new CheckTask.Part(Optional.ofNullable(shard), sample);
    }

    private void checkOptions() {
        boolean some = shard != null || random != null;
        if (some && (replay != null || expectations || asListed || verifyReduction)) {
            throw CommandFailedException.usage("--shard and --random are about a check, and exclude --replay,"
                    + " --expectations, --as-listed and --verify-reduction");
        }
        if (shard != null && random != null) {
            throw CommandFailedException.usage(
                    "--shard and --random exclude each other: what is run by chance has no parts");
        }
        if (seed != null && random == null) {
            throw CommandFailedException.usage("--seed is about --random N, which is missing");
        }
        if (some && files.stream().anyMatch(SpecTask::isSpecification)) {
            throw CommandFailedException.usage(
                    "--shard and --random are about scenario files, not about specifications");
        }
        if (options.files().html().isPresent()
                && (replay != null
                        || expectations
                        || verifyReduction
                        || files.stream().anyMatch(SpecTask::isSpecification))) {
            throw CommandFailedException.usage("--html is about a check of scenario files, and excludes --replay,"
                    + " --expectations, --verify-reduction and specifications");
        }
        if (replay != null && expectations) {
            throw CommandFailedException.usage("--replay and --expectations exclude each other");
        }
        if (verifyReduction && (replay != null || expectations || asListed || isolation != null)) {
            throw CommandFailedException.usage("--verify-reduction explores everything at every isolation level, and"
                    + " excludes --replay, --expectations, --as-listed and --isolation");
        }
        if (asListed && (replay != null || expectations)) {
            throw CommandFailedException.usage("--as-listed excludes --replay and --expectations");
        }
        if (asListed) {
            files.stream().filter(file -> !SpecTask.isSpecification(file)).forEach(CheckCommand::refuseListing);
        }
        if (replay != null && files.size() > 1) {
            throw CommandFailedException.usage("--replay is about one file, but " + files.size() + " were given");
        }
        if (expectations && isolation != null) {
            throw CommandFailedException.usage(
                    "--expectations and --isolation exclude each other: a file expects what its own"
                            + " isolation levels lead to");
        }
    }

    private static void refuseListing(Path file) {
        throw CommandFailedException.usage(
                "--as-listed is about specifications of PostgreSQL's isolation tester, whose names end in .spec, but was given "
                        + file);
    }

    private SpecTask specTask() {
        return new SpecTask(
                Optional.ofNullable(isolation),
                Optional.ofNullable(repair),
                Optional.ofNullable(replay),
                asListed,
                repeated());
    }

    private Batch batch(String command) {
        return new Batch(command, terminal, interruption, options);
    }

    /** {@return the options that decide what is explored, for a replay to repeat; not a URL, which has a password} */
    private List<String> repeated() {
        List<String> words = new ArrayList<>();
        if (repair != null) {
            words.addAll(List.of("--repair", repair));
        }
        if (isolation != null) {
            words.addAll(List.of("--isolation", isolation.sql().replace(' ', '-')));
        }
        options.server().major().ifPresent(major -> words.addAll(List.of("--postgres", String.valueOf(major))));
        return words;
    }

    /** The scenario as it stands; but a repair that is asked for must be there. */
    private Scenario checked(Scenario scenario) {
        if (repair != null) {
            repaired(scenario, repair);
        }
        return scenario;
    }

    private Scenario chosen(Scenario scenario) {
        Scenario chosen = repair == null ? scenario : repaired(scenario, repair);
        return isolation == null ? chosen : chosen.withIsolation(isolation);
    }

    private static Scenario repaired(Scenario scenario, String name) {
        return scenario.repairs().stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .map(Repair::repaired)
                .orElseThrow(() -> noSuchRepair(scenario, name));
    }

    private static CommandFailedException noSuchRepair(Scenario scenario, String name) {
        List<String> names = scenario.repairs().stream().map(Repair::name).toList();
        String meant = Nearest.to(name, names)
                .map(near -> "; did you mean \"" + near + "\"?")
                .orElse("");
        String all = names.isEmpty() ? " (it has none)" : "\n  it has: " + String.join("\n          ", names);
        return CommandFailedException.usage(scenario.file() + ": has no repair \"" + name + "\"" + meant + all);
    }
}

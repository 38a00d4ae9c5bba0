package dev.cerrojo.cli;

import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cerrojo}: what the launcher runs. */
@Command(
        name = "cerrojo",
        description = "SQL assertions for PostgreSQL that hold under concurrency, with the proof.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class)
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Made by picocli. */
    Main() {}

    /**
     * Runs a command, and ends the JVM with its exit code.
     *
     * @param arguments the command and its options
     */
    public static void main(String... arguments) {
        System.exit(new CommandLine(new Main()).execute(arguments));
    }

    /** Without a command there is nothing to do. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command must be named");
    }

    /** The version that the build has written into the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                    .orElse("(not built as a jar)");
            return new String[] {"cerrojo " + version};
        }
    }
}

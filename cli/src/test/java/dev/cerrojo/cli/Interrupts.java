package dev.cerrojo.cli;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Whether programs that a test starts can be interrupted. */
final class Interrupts {
    private static final int SIGINT = 2;

    private Interrupts() {}

    /** A program started in the background by a shell without job control ignores SIGINT, and so do those that it starts. */
    static void assumeHeeded() throws IOException {
        Path status = Path.of("/proc/self/status");
        List<String> lines = Files.isReadable(status) ? Files.readAllLines(status) : List.of();
        boolean ignored = lines.stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .mapToLong(line -> Long.parseUnsignedLong(
                        line.substring(line.indexOf(':') + 1).strip(), 16))
                .anyMatch(mask -> (mask & 1L << (SIGINT - 1)) != 0);
        assumeFalse(ignored, "SIGINT is ignored here: run the tests in the foreground");
    }
}

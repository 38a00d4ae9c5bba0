package dev.cerrojo.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.cerrojo.testsupport.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C in a JVM of its own. */
@DisabledOnOs(OS.WINDOWS)
class InterruptionTest {
    /** Long enough to be interrupted: some 400,000 schedules. */
    private static final String LONG = """
            setup: CREATE TABLE t (n int)
            transactions:
              add: {steps: [{write: INSERT INTO t VALUES (1)}, {write: INSERT INTO t VALUES (2)}]}
            run: [add(), add(), add(), add()]
            invariant: SELECT 1 FROM t WHERE n > 2
            """;

    /** The setup itself takes too long to wait for. */
    private static final String STUCK = LONG.replace("setup: CREATE", "setup: SELECT pg_sleep(600); CREATE");

    @TempDir
    private Path folder;

    private ScenarioFiles files;

    @BeforeEach
    void folder() throws IOException {
        Interrupts.assumeHeeded();
        files = new ScenarioFiles(folder);
    }

    private static Process start(String... args) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "check",
                "--exhaustive"));
        words.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().remove("CERROJO_URL");
        return builder.start();
    }

    /** As a terminal does: to the program and to all that it started. */
    private static void interruptAll(Process process) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("kill", "-INT", String.valueOf(process.pid())));
        process.descendants().forEach(child -> words.add(String.valueOf(child.pid())));
        new ProcessBuilder(words).start().waitFor();
    }

    private static void until(String state, BooleanSupplier reached) {
        long start = System.nanoTime();
        while (!reached.getAsBoolean()) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(30)) {
                fail("not reached within 30 s: %s", state);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private static String output(Process process) throws IOException {
        return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** {@return how many connections to a scratch database its server has: PostgreSQL writes that into its processes' titles} */
    private static long sessions(Process process) {
        List<String> words = new ArrayList<>(List.of("ps", "-o", "args=", "-p", String.valueOf(process.pid())));
        process.descendants().forEach(child -> words.addAll(List.of("-p", String.valueOf(child.pid()))));
        try {
            Process ps = new ProcessBuilder(words).start();
            return new String(ps.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.contains(" cerrojo_"))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int scratchSessions(TestDatabase database) {
        return count(database, "SELECT count(*) FROM pg_stat_activity WHERE datname ~ '^cerrojo_[0-9a-f]{12}$'");
    }

    private static int scratchDatabases(TestDatabase database) {
        return count(database, "SELECT count(*) FROM pg_database WHERE datname ~ '^cerrojo_[0-9a-f]{12}$'");
    }

    private static int count(TestDatabase database, String query) {
        try (Connection connection = database.connect();
                Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }

    @Test
    void endsWith130AndLeavesNoServer() throws IOException, InterruptedException {
        Process process = start(files.file("long.yaml", LONG));
        until("sessions run", () -> sessions(process) > 3);
        List<ProcessHandle> family = process.descendants().toList();

        interruptAll(process);

        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(130);
        assertThat(output(process)).isEqualTo("interrupted\n");
        until("its server ends", () -> family.stream().noneMatch(ProcessHandle::isAlive));
    }

    @Test
    void endsWith130AndLeavesNoDatabaseOnAServerOfTheUsers() throws IOException, InterruptedException {
        try (TestDatabase database = TestDatabase.create()) {
            Process process = start("--url", database.jdbcUrl(), files.file("long.yaml", LONG));
            until("sessions run", () -> scratchSessions(database) > 3);

            interruptAll(process);

            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(130);
            assertThat(output(process)).isEqualTo("interrupted\n");
            assertThat(scratchDatabases(database)).isZero();
        }
    }

    @Test
    void dropsTheDatabaseOfAStatementThatDoesNotEnd() throws IOException, InterruptedException {
        try (TestDatabase database = TestDatabase.create()) {
            Process process = start("--url", database.jdbcUrl(), files.file("stuck.yaml", STUCK));
            until("the setup runs", () -> scratchSessions(database) > 0);

            interruptAll(process);

            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(130);
            assertThat(scratchDatabases(database)).isZero();
        }
    }
}

package dev.cerrojo.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Every test but those of a cold cache shares one, so that only the first start is slow. */
class EmbeddedPostgresTest {
    @TempDir
    private static Path cache;

    @BeforeAll
    static void warmTheCache() {
        start().close();
    }

    /** How long it takes depends on the machine's other work; what is not done again is what makes it fast. */
    @Test
    void aWarmStartMakesNothingAgain() throws IOException {
        Map<Path, FileTime> made = timesOfEntries();
        start().close();
        assertThat(timesOfEntries()).isEqualTo(made).hasSize(2);
    }

    private static Map<Path, FileTime> timesOfEntries() throws IOException {
        Map<Path, FileTime> times = new HashMap<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(cache, "{binaries,cluster}-*")) {
            for (Path entry : entries) {
                times.put(entry, Files.getLastModifiedTime(entry));
            }
        }
        return times;
    }

    @Test
    void theClassPathHoldsTheDefaultRelease() {
        try (EmbeddedPostgres server = start()) {
            assertThat(Release.DEFAULT.artifactVersion()).isEqualTo(server.version() + ".0");
        }
    }

    @Test
    void settingsAreOursUnlessTheUserGivesAnother() throws SQLException {
        EmbeddedPostgres.Options options = options()
                .setting("Deadlock_Timeout", "20ms")
                .setting("application_name", "it's mine")
                .build();
        try (EmbeddedPostgres server = EmbeddedPostgres.start(options)) {
            assertThat(setting(server, "fsync")).isEqualTo("off");
            assertThat(setting(server, "log_timezone")).isEqualTo("UTC");
            assertThat(setting(server, "server_encoding")).isEqualTo("UTF8");
            assertThat(setting(server, "deadlock_timeout")).isEqualTo("20ms");
        }
    }

    @Test
    void aDurableServerWaitsForTheDisk() throws SQLException {
        try (EmbeddedPostgres server =
                EmbeddedPostgres.start(options().durable(true).build())) {
            assertThat(setting(server, "fsync")).isEqualTo("on");
            assertThat(setting(server, "synchronous_commit")).isEqualTo("on");
        }
    }

    @Test
    void serversDoNotShareData() throws SQLException {
        try (EmbeddedPostgres one = start();
                EmbeddedPostgres two = start()) {
            Query.run(one.jdbcUrl(), "CREATE TABLE only_here (id int)");
            assertThat(Query.one(two.jdbcUrl(), "SELECT coalesce(to_regclass('only_here')::text, 'none')"))
                    .isEqualTo("none");
        }
    }

    @Test
    void anotherDatabaseIsReachedByItsName() throws SQLException {
        try (EmbeddedPostgres server = start()) {
            Query.run(server.jdbcUrl(), "CREATE DATABASE \"odd name?&\"");
            assertThat(Query.one(server.jdbcUrl("odd name?&"), "SELECT current_database()"))
                    .isEqualTo("odd name?&");
        }
    }

    @Test
    void aWrongPasswordIsRefused() {
        try (EmbeddedPostgres server = start()) {
            String url = server.jdbcUrl().replaceFirst("password=.*", "password=guessed");
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> Query.one(url, "SELECT 1"))
                    .satisfies(refusal -> assertThat(refusal.getSQLState()).isEqualTo("28P01"));
        }
    }

    @Test
    void closingStopsTheServerAndRemovesItsFolder() throws IOException {
        EmbeddedPostgres server = start();
        List<ProcessHandle> family = ProcessHandle.current().descendants().toList();
        assertThat(family).isNotEmpty();
        server.close();
        server.close();
        Await.ended(family);
        assertThat(runs(cache)).isEmpty();
    }

    @Test
    void aSettingTheServerDoesNotKnowShowsItsLog() throws IOException {
        EmbeddedPostgres.Options options =
                options().setting("no_such_setting", "1").build();
        assertThatExceptionOfType(EmbeddedPostgresException.class)
                .isThrownBy(() -> EmbeddedPostgres.start(options))
                .withMessageContaining("ended while it was starting")
                .withMessageContaining("unrecognized configuration parameter \"no_such_setting\"");
        assertThat(runs(cache)).isEmpty();
    }

    @Test
    void manyStartsAtOnceOnAColdCacheMakeItOnce(@TempDir Path cold) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try (ChildProgram other = ChildProgram.start(cold)) {
            List<Future<EmbeddedPostgres>> starts = Stream.generate(() -> threads.submit(
                            () -> EmbeddedPostgres.start(options(cold).build())))
                    .limit(3)
                    .toList();
            assertThat(Query.one(other.jdbcUrl(), "SELECT 1")).isEqualTo("1");
            for (Future<EmbeddedPostgres> start : starts) {
                try (EmbeddedPostgres server = start.get()) {
                    assertThat(Query.one(server.jdbcUrl(), "SELECT 1")).isEqualTo("1");
                }
            }
        } finally {
            threads.shutdown();
        }
        assertThat(names(cold)).filteredOn(name -> name.startsWith("cluster-")).hasSize(1);
        assertThat(names(cold)).noneMatch(name -> name.startsWith(".making-"));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "file permissions of POSIX")
    void theCacheIsTheUsersOwn(@TempDir Path parent) throws IOException {
        Path cold = parent.resolve("cache");
        Cache.open(Optional.of(cold), Account.SELF);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cold)))
                .isEqualTo("rwx------");
        try (Stream<Path> entries = Files.list(cache)) {
            Path cluster = entries.filter(
                            entry -> entry.getFileName().toString().startsWith("cluster-"))
                    .findFirst()
                    .orElseThrow();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cluster.resolve("password"))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void aHalfMadeCacheIsMadeAgain(@TempDir Path cold) throws IOException {
        Files.createDirectories(cold.resolve(".making-binaries/bin"));
        EmbeddedPostgres.start(options(cold).build()).close();
        assertThat(names(cold)).noneMatch(name -> name.startsWith(".making-"));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "no supervisor on Windows")
    void aKilledProgramLeavesNoServer() throws Exception {
        ChildProgram program = ChildProgram.start(cache);
        program.jdbcUrl();
        List<ProcessHandle> family = program.family();
        assertThat(family).hasSizeGreaterThan(3);
        program.kill();
        Await.ended(family);
        Await.empty(cache.resolve("runs"));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "signals of POSIX")
    void anInterruptFromTheTerminalLeavesNoServer() throws Exception {
        Interrupts.assumeHeeded();
        ChildProgram program = ChildProgram.start(cache);
        program.jdbcUrl();
        List<ProcessHandle> family = program.family();
        program.signalAll("INT");
        assertThat(program.exitCode()).isEqualTo(130);
        Await.ended(family);
        Await.empty(cache.resolve("runs"));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "no supervisor on Windows")
    void leftoversOfAKilledProgramAndSupervisorAreRemovedByTheNextStart() throws Exception {
        ChildProgram program = ChildProgram.start(cache);
        program.jdbcUrl();
        Map<Boolean, List<ProcessHandle>> supervisors =
                program.family().stream().collect(Collectors.partitioningBy(EmbeddedPostgresTest::supervisor));
        List<ProcessHandle> servers = supervisors.get(false);
        ProcessHandle shell = supervisors.get(true).stream()
                .filter(supervisor ->
                        supervisor.parent().equals(Optional.of(program.process().toHandle())))
                .findFirst()
                .orElseThrow();
        shell.children().filter(EmbeddedPostgresTest::supervisor).forEach(EmbeddedPostgresTest::killAndWait);
        killAndWait(shell); // after the part of it that watches the pipe, which would still stop the server
        program.kill();
        assertThat(servers).isNotEmpty().allMatch(ProcessHandle::isAlive);
        assertThat(runs(cache)).hasSize(1);
        program.exitCode();

        try (EmbeddedPostgres next = start()) {
            Await.ended(servers);
            assertThat(runs(cache)).hasSize(1);
            assertThat(next.jdbcUrl()).isNotEmpty();
        }
    }

    private static void killAndWait(ProcessHandle process) {
        process.destroyForcibly();
        Await.ended(List.of(process));
    }

    private static boolean supervisor(ProcessHandle process) {
        return process.info().commandLine().orElse("").contains("cerrojo-supervisor");
    }

    @Test
    void aServerThatNobodyHoldsIsNoLeftover() throws Exception {
        String url = start().jdbcUrl();
        WeakReference<Object> garbage = new WeakReference<>(new Object());
        Await.until("collected", () -> {
            System.gc();
            return garbage.get() == null;
        });
        try (ChildProgram other = ChildProgram.start(cache)) {
            assertThat(Query.one(other.jdbcUrl(), "SELECT 1")).isEqualTo("1");
            assertThat(Query.one(url, "SELECT 1")).isEqualTo("1");
        } finally {
            List<ProcessHandle> family = ProcessHandle.current().descendants().toList();
            family.forEach(ProcessHandle::destroyForcibly);
            Await.ended(family);
            FileTree.delete(cache.resolve("runs"));
        }
    }

    @Test
    void aFolderInUseIsNoLeftover() throws Exception {
        try (ChildProgram program = ChildProgram.start(cache)) {
            String url = program.jdbcUrl();
            start().close();
            assertThat(Query.one(url, "SELECT 1")).isEqualTo("1");
        }
    }

    private static EmbeddedPostgres start() {
        return EmbeddedPostgres.start(options().build());
    }

    private static EmbeddedPostgres.Options.Builder options() {
        return options(cache);
    }

    private static EmbeddedPostgres.Options.Builder options(Path folder) {
        return EmbeddedPostgres.Options.builder().cache(folder);
    }

    private static List<String> runs(Path folder) throws IOException {
        return names(folder.resolve("runs"));
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString()).toList();
        }
    }

    private static String setting(EmbeddedPostgres server, String name) throws SQLException {
        return Query.one(server.jdbcUrl(), "SHOW " + name);
    }

    @Test
    void aKilledServerComesBackWithWhatWasCommitted() throws SQLException {
        try (EmbeddedPostgres server =
                EmbeddedPostgres.start(options().durable(true).build())) {
            String url = server.jdbcUrl();
            Query.run(url, "CREATE TABLE kept (n int)");
            for (int n = 0; n < 3; n++) {
                Query.run(url, "INSERT INTO kept VALUES (" + n + ")");
                server.kill();
                server.restart();
            }
            assertThat(server.jdbcUrl()).isEqualTo(url);
            assertThat(Query.one(url, "SELECT string_agg(n::text, ' ' ORDER BY n) FROM kept"))
                    .isEqualTo("0 1 2");
        }
    }

    @Test
    void aKilledServerAnswersNobody() throws SQLException {
        try (EmbeddedPostgres server = start();
                Connection connection = DriverManager.getConnection(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            server.kill();
            assertThatExceptionOfType(SQLException.class).isThrownBy(() -> statement.execute("SELECT 1"));
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> DriverManager.getConnection(server.jdbcUrl()));
        }
    }

    @Test
    void killAndRestartTellWhatMustComeFirst() {
        try (EmbeddedPostgres server = start()) {
            assertThatExceptionOfType(EmbeddedPostgresException.class)
                    .isThrownBy(server::restart)
                    .withMessageContaining("kill() it first");
            server.kill();
            assertThatExceptionOfType(EmbeddedPostgresException.class)
                    .isThrownBy(server::kill)
                    .withMessageContaining("restart() it first");
        }
    }

    @Test
    void aKilledServerIsClosedLikeAnother() throws IOException {
        EmbeddedPostgres server = start();
        server.kill();
        server.close();
        assertThat(runs(cache)).isEmpty();
    }
}

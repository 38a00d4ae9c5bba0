package dev.cerrojo.explorer.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.embedded.EmbeddedPostgres;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search.Mode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * PostgreSQL's own isolation tester and Cerrojo, on the same specification and the same server, by turns in one run; no test of
 * the suite. Each explores in one database, Cerrojo with one worker. From the root of a checkout:
 *
 * <pre>{@code
 * mvn -B -pl explorer -am -Dtest=IsolationTesterBenchmark -Dsurefire.failIfNoSpecifiedTests=false test
 * }</pre>
 */
class IsolationTesterBenchmark {
    private static final int ROUNDS = Integer.getInteger("cerrojo.benchmark.rounds", 5);

    private static final String TESTER = "isolation tester, in a database that is there";
    private static final String EVERY = "Cerrojo, every schedule";
    private static final String REDUCED = "Cerrojo, reduced";

    @TempDir
    private Path folder;

    /** Seconds of one round, and how many schedules it ran. */
    private record Round(double seconds, long schedules) {
        double rate() {
            return schedules / seconds;
        }
    }

    @Test
    void sameSpecification() throws IOException, SQLException, InterruptedException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start();
                Server server = Server.connect(postgres.jdbcUrl(), postgres::jdbcUrl)) {
            IsolationTester tester = IsolationTester.of(postgres.jdbcUrl());
            String text = Files.readString(resource("day-report.spec"));
            for (String level : List.of("SERIALIZABLE", "REPEATABLE READ")) {
                Path spec = Files.writeString(folder.resolve("day-report.spec"), text.replace("SERIALIZABLE", level));
                compare(level, server, tester, spec);
            }
        }
    }

    private static void compare(String level, Server server, IsolationTester tester, Path spec)
            throws IOException, SQLException, InterruptedException {
        Map<String, List<Round>> rounds = new LinkedHashMap<>();
        for (int i = -1; i < ROUNDS; i++) {
            Map<String, Round> round = round(server, tester, spec);
            if (i >= 0) {
                // the one before only warmed up
                round.forEach((who, one) ->
                        rounds.computeIfAbsent(who, any -> new ArrayList<>()).add(one));
            }
        }
        Round theirs = median(rounds.get(TESTER));
        System.out.printf(Locale.ROOT, "%s at %s, medians of %d rounds%n", spec.getFileName(), level, ROUNDS);
        rounds.forEach((who, all) -> print(who, median(all), theirs));
        assertThat(median(rounds.get(EVERY)).schedules()).isEqualTo(theirs.schedules());
    }

    private static void print(String who, Round ours, Round theirs) {
        System.out.printf(
                Locale.ROOT,
                "  %-60s %4d runs %5.0f/s, verdict after %.2f s; to the tester: runs per second %.1f, time %.1f%n",
                who,
                ours.schedules(),
                ours.rate(),
                ours.seconds(),
                ours.rate() / theirs.rate(),
                theirs.seconds() / ours.seconds());
    }

    /** The tester is given a database, and does not make it; Cerrojo makes one, and is measured with that and without. */
    private static Map<String, Round> round(Server server, IsolationTester tester, Path spec)
            throws IOException, SQLException, InterruptedException {
        Map<String, Round> round = new LinkedHashMap<>();
        round.put(TESTER, listed(tester, spec));
        round.put(EVERY, exploredFromReady(server, spec, Mode.EXHAUSTIVE));
        round.put(EVERY + ", workers of the command line", exploredByAll(server, spec));
        round.put(EVERY + ", making its database", explored(server, spec, Mode.EXHAUSTIVE));
        round.put(REDUCED, exploredFromReady(server, spec, Mode.REDUCED));
        round.put(REDUCED + ", making its database", explored(server, spec, Mode.REDUCED));
        return round;
    }

    private static Round median(List<Round> rounds) {
        List<Round> sorted = new ArrayList<>(rounds);
        sorted.sort((one, other) -> Double.compare(one.seconds(), other.seconds()));
        return sorted.get(sorted.size() / 2);
    }

    private static Round exploredFromReady(Server server, Path spec, Mode mode) throws SQLException {
        server.prepare().join();
        return explored(server, spec, mode);
    }

    /** As many workers as {@code cerrojo check} has without being told. */
    private static Round exploredByAll(Server server, Path spec) throws SQLException {
        server.prepare().join();
        return explored(
                server, spec, Mode.EXHAUSTIVE, Math.min(4, Runtime.getRuntime().availableProcessors() + 1));
    }

    private static Round explored(Server server, Path spec, Mode mode) throws SQLException {
        return explored(server, spec, mode, 1);
    }

    private static Round explored(Server server, Path spec, Mode mode, int workers) throws SQLException {
        long begun = System.nanoTime();
        SpecResult result = new SpecChecker(server, new Bounds(100_000, Duration.ofMinutes(5)), mode, Progress.SILENT)
                .withWorkers(workers)
                .check(SpecReader.read(spec));
        return new Round(seconds(begun), result.schedules());
    }

    private static double seconds(long begun) {
        return (System.nanoTime() - begun) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    /** Without listed permutations it runs all. */
    private static Round listed(IsolationTester tester, Path spec) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        Process running = tester.process(spec).start();
        List<String> lines = running.inputReader().lines().toList();
        int code = running.waitFor();
        double seconds = seconds(begun);
        assertThat(code).as("%s", lines).isZero();
        return new Round(
                seconds,
                lines.stream()
                        .filter(line -> line.startsWith("starting permutation"))
                        .count());
    }

    private static Path resource(String name) {
        return Path.of(URI.create(String.valueOf(IsolationTesterBenchmark.class.getResource("/spec/" + name))));
    }
}

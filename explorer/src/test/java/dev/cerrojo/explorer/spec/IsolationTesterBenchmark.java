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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * PostgreSQL's own isolation tester and Cerrojo, on the same specification and the same server, by turns in one run; no test of
 * the suite. From the root of a checkout:
 *
 * <pre>{@code
 * mvn -B -pl explorer -am -Dtest=IsolationTesterBenchmark -Dsurefire.failIfNoSpecifiedTests=false test
 * }</pre>
 */
class IsolationTesterBenchmark {
    private static final int ROUNDS = Integer.getInteger("cerrojo.benchmark.rounds", 5);

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
        Map<String, List<Round>> rounds = new HashMap<>();
        for (int i = -1; i < ROUNDS; i++) {
            // the first round of each only warms up
            List<Round> of = i < 0 ? new ArrayList<>() : rounds.computeIfAbsent("tester", any -> new ArrayList<>());
            of.add(listed(tester, spec));
            of = i < 0 ? new ArrayList<>() : rounds.computeIfAbsent("all", any -> new ArrayList<>());
            of.add(explored(server, spec, Mode.EXHAUSTIVE));
            of = i < 0 ? new ArrayList<>() : rounds.computeIfAbsent("reduced", any -> new ArrayList<>());
            of.add(explored(server, spec, Mode.REDUCED));
        }
        Round theirs = median(rounds.get("tester"));
        Round all = median(rounds.get("all"));
        Round reduced = median(rounds.get("reduced"));
        System.out.printf(
                Locale.ROOT,
                "%s at %s: isolation tester %d permutations, %.0f/s, %.2f s; Cerrojo every schedule %d, %.0f/s, %.2f s;"
                        + " reduced %d, %.2f s%n  ratio of runs per second %.1f, of time to the verdict %.1f%n",
                spec.getFileName(),
                level,
                theirs.schedules(),
                theirs.rate(),
                theirs.seconds(),
                all.schedules(),
                all.rate(),
                all.seconds(),
                reduced.schedules(),
                reduced.seconds(),
                all.rate() / theirs.rate(),
                theirs.seconds() / reduced.seconds());
        assertThat(all.schedules()).isEqualTo(theirs.schedules());
    }

    private static Round median(List<Round> rounds) {
        List<Round> sorted = new ArrayList<>(rounds);
        sorted.sort((one, other) -> Double.compare(one.seconds(), other.seconds()));
        return sorted.get(sorted.size() / 2);
    }

    private static Round explored(Server server, Path spec, Mode mode) throws SQLException {
        long begun = System.nanoTime();
        SpecResult result = new SpecChecker(server, new Bounds(100_000, Duration.ofMinutes(5)), mode, Progress.SILENT)
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

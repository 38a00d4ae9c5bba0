package dev.cerrojo.leasefaults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rows of the runs. With {@code -Dcerrojo.leases=all} they are recorded in the folder {@code results} of this module, a file for
 * each test, and the guide's tables are made of them; else they are held against what is recorded there, and kept in {@code target/lease-faults}.
 */
final class Results {
    private static final Path RECORDED = Path.of("results");
    private static final Path LATEST = Path.of("target", "lease-faults");

    private Results() {}

    /** {@return whether all faults befall, and are recorded} */
    static boolean all() {
        return "all".equals(System.getProperty("cerrojo.leases"));
    }

    /** {@return all rows that are recorded} */
    static List<Row> recorded() {
        try (Stream<Path> files = Files.list(RECORDED)) {
            return files.sorted().flatMap(Results::lines).map(Row::parse).toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream().skip(1);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Records rows, or holds them against those that are recorded. */
    static void add(String title, List<Row> rows) {
        write(LATEST, title, rows);
        if (all()) {
            write(RECORDED, title, rows);
            FaultTable.write();
        } else {
            rows.forEach(Results::assertLikeRecorded);
        }
    }

    private static void write(Path folder, String title, List<Row> rows) {
        String lines = Stream.concat(Stream.of(Row.HEADER), rows.stream().map(Row::line))
                .collect(Collectors.joining("\n", "", "\n"));
        try {
            Files.writeString(
                    Files.createDirectories(folder)
                            .resolve(title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + ".tsv"),
                    lines);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void assertLikeRecorded(Row row) {
        assertThat(recorded())
                .as("recorded rows; one is to be of the kind of %s: record with -Dcerrojo.leases=all", row.line())
                .anyMatch(recorded -> recorded.store().equals(row.store())
                        && recorded.fault() == row.fault()
                        && recorded.allowed().equals(row.allowed()));
    }
}

package dev.cerrojo.leasefaults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tables of the guide that say what each store does under each fault, made of the recorded rows. A cell says how the rounds ended
 * and, in brackets, how else a round may end: each round was held against just that.
 */
final class FaultTable {
    static final Path GUIDE = Path.of("..", "docs", "guide", "leases-on-redis-and-etcd.md");

    private static final String BEGIN = "<!-- begin: made of lease-faults/results by FaultTable -->\n";
    private static final String END = "<!-- end -->";
    private static final String NOTHING = "–";

    private final List<Row> rows;

    private FaultTable(List<Row> rows) {
        this.rows = rows;
    }

    /** {@return the guide, with the tables of some rows} */
    static String within(String guide, List<Row> rows) {
        int begin = guide.indexOf(BEGIN);
        int end = guide.indexOf(END, begin);
        if (begin < 0 || end < 0) {
            throw new IllegalStateException("%s must have the lines %s and %s".formatted(GUIDE, BEGIN.strip(), END));
        }
        return guide.substring(0, begin) + BEGIN + new FaultTable(rows).text() + guide.substring(end);
    }

    /** Writes the tables of the recorded rows into the guide. */
    static void write() {
        try {
            Files.writeString(GUIDE, within(Files.readString(GUIDE), Results.recorded()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private String text() {
        return """

                %s

                %s

                %s

                <details><summary>The counts</summary>

                %s

                </details>

                """.formatted(sum(), control(), outcomes(), counts());
    }

    private Stream<Row> fenced() {
        return rows.stream().filter(Row::fenced);
    }

    private String sum() {
        return ("%d times a fault befell a holder or its store. %d acquisitions, %d hand-overs; %d losses told, %d of them before the next holder"
                        + " had the lease; %d writes committed. By former holders: **%d**; values overwritten: **%d**.")
                .formatted(
                        fenced().mapToLong(Row::rounds).sum(),
                        sum(Row.Counts::acquisitions),
                        sum(Row.Counts::handOvers),
                        sum(Row.Counts::losses),
                        sum(Row.Counts::toldBefore),
                        sum(Row.Counts::commits),
                        sum(Row.Counts::stale),
                        sum(Row.Counts::overwritten));
    }

    private long sum(ToLongFunction<Row.Counts> count) {
        return fenced().map(Row::counts).mapToLong(count).sum();
    }

    private String control() {
        return rows.stream()
                .filter(row -> !row.fenced())
                .map(row ->
                        "The control, %s, %s, times %d: **%d** writes of former holders committed, **%d** values overwritten."
                                .formatted(
                                        row.store(),
                                        row.fault(),
                                        row.rounds(),
                                        row.counts().stale(),
                                        row.counts().overwritten()))
                .collect(Collectors.joining("\n"));
    }

    private String outcomes() {
        List<String> stores = Stream.of(StoreKind.values()).map(String::valueOf).toList();
        String header = "| what happens | " + String.join(" | ", stores) + " |\n|---|" + "---|".repeat(stores.size());
        return Stream.concat(
                        Stream.of(header),
                        Stream.of(Fault.values())
                                .filter(fault -> fenced().anyMatch(row -> row.fault() == fault))
                                .map(fault -> line(fault, stores)))
                .collect(Collectors.joining("\n"));
    }

    private String line(Fault fault, List<String> stores) {
        return stores.stream()
                .map(store -> fenced().filter(
                                row -> row.fault() == fault && row.store().equals(store))
                        .map(FaultTable::cell)
                        .collect(Collectors.collectingAndThen(
                                Collectors.joining("; "), cell -> cell.isEmpty() ? NOTHING : cell)))
                .collect(Collectors.joining(" | ", "| " + fault + " | ", " |"));
    }

    static String cell(Row row) {
        Set<Outcome> unseen = EnumSet.copyOf(row.allowed());
        unseen.removeAll(row.seen().keySet());
        return words(row.seen().keySet()) + inTime(row) + (unseen.isEmpty() ? "" : " (may be " + words(unseen) + ")");
    }

    private static String words(Set<Outcome> outcomes) {
        return EnumSet.copyOf(outcomes).stream()
                .map(String::valueOf)
                .collect(Collectors.joining(", or "))
                .replace("before, or lost, told after", "before or after");
    }

    private static String inTime(Row row) {
        return row.replacedAfter()
                .filter(span -> row.allowed().equals(Set.of(Outcome.REPLACED)))
                .map(span -> String.format(Locale.ROOT, " within %.1f s", Math.ceil(span.greatest() / 100.0) / 10))
                .orElse("");
    }

    private String counts() {
        String header =
                "| what happens | store | times | acquisitions | hand-overs | losses told | before the next holder | ms before it; negative: after | another has it, ms after the fault | commits | stale | overwritten |\n"
                        + "|---|---|---|---|---|---|---|---|---|---|---|---|";
        return Stream.concat(
                        Stream.of(header),
                        Stream.of(Fault.values())
                                .flatMap(fault -> rows.stream().filter(row -> row.fault() == fault))
                                .map(FaultTable::counts))
                .collect(Collectors.joining("\n"));
    }

    private static String counts(Row row) {
        Row.Counts counts = row.counts();
        return Stream.of(
                        row.fault(),
                        row.store(),
                        row.rounds(),
                        counts.acquisitions(),
                        counts.handOvers(),
                        counts.losses(),
                        counts.toldBefore(),
                        span(row.leads()),
                        span(row.replacedAfter()),
                        counts.commits(),
                        counts.stale(),
                        counts.overwritten())
                .map(String::valueOf)
                .collect(Collectors.joining(" | ", "| ", " |"));
    }

    private static String span(Optional<Row.Span> span) {
        return span.map(times -> times.least() + " to " + times.greatest()).orElse(NOTHING);
    }
}

package dev.cerrojo.explorer.tests.guards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.tx.Isolation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What was proved, and by how many schedules: a table of a page of {@code docs/design}. */
public final class ProofTable {
    private final String page;
    private final String title;
    private final List<String> columns;
    private final Map<String, Map<String, String>> rows = new LinkedHashMap<>();

    private ProofTable(String page, String title, List<String> columns) {
        this.page = page;
        this.title = title;
        this.columns = List.copyOf(columns);
    }

    static ProofTable byLevel(String title) {
        return byLevel("proofs.md", title);
    }

    public static ProofTable byLevel(String page, String title) {
        return new ProofTable(
                page,
                title,
                Arrays.stream(Isolation.values()).map(Isolation::sql).toList());
    }

    static ProofTable of(String title, List<String> columns) {
        return new ProofTable("proofs.md", title, columns);
    }

    public void add(String row, Isolation level, Enum<?> verdict, long schedules) {
        add(row, level.sql(), verdict.name(), schedules);
    }

    void add(String row, String column, String verdict, long schedules) {
        rows.computeIfAbsent(row, any -> new LinkedHashMap<>())
                .put(column, verdict.toLowerCase(Locale.ROOT) + ", " + schedules);
    }

    /** Prints it, to be copied, and fails where the page says otherwise. How many schedules there are may change. */
    public void publish() {
        List<String> lines = new ArrayList<>();
        lines.add(line(title, columns));
        lines.add("|---".repeat(columns.size() + 1) + "|");
        rows.keySet().stream()
                .sorted(Comparator.comparing(row -> row.startsWith("control")))
                .forEach(row -> lines.add(line(row, cells(row))));
        System.out.println(String.join("\n", lines));
        assertThat(withoutCounts(lines())).containsAll(withoutCounts(lines));
    }

    private List<String> cells(String row) {
        return columns.stream()
                .map(column -> rows.get(row).getOrDefault(column, ""))
                .toList();
    }

    private static String line(String first, List<String> others) {
        return "| " + first + others.stream().map(cell -> " | " + cell).collect(Collectors.joining()) + " |";
    }

    private static List<String> withoutCounts(List<String> lines) {
        return lines.stream().map(line -> line.replaceAll(", \\d+ \\|", " |")).toList();
    }

    private List<String> lines() {
        try {
            return Files.readAllLines(Path.of("..", "docs", "design", page));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.cerrojo.explorer.serial;

import dev.cerrojo.explorer.serial.Rows.Column;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An observation in a form in which those that mean the same are equal.
 *
 * <p>The order of rows is dropped. A surrogate value (the number that a sequence gave, the time of day) means only what stands
 * beside it: it is replaced by a color, made of the rows in which it occurs, again and again with the colors of the values
 * beside it (color refinement, Weisfeiler and Leman 1968). Values that the start state has are the same in every run, and stay.
 * Two values that nothing tells apart get one color; that can hide a difference only between values that are symmetric.
 */
final class CanonicalOutcome {
    /** As far as chains of foreign keys reach that tell values apart. */
    private static final int ROUNDS = 4;

    private static final String NULL = "null";
    private static final char SEPARATOR = '\u0000';

    /** Place → rows, in canonical order; each row once as it counts, once as it is shown. */
    private final TreeMap<String, List<Row>> places = new TreeMap<>();

    private record Row(String canonical, String shown) {}

    private record Cell(String surrogate, String value) {}

    private record Fact(String place, List<Column> columns, List<@Nullable String> values) {}

    private final Map<String, Set<String>> known;
    private final Map<Cell, String> colors = new HashMap<>();

    private CanonicalOutcome(Map<String, Set<String>> known) {
        this.known = known;
    }

    /**
     * Makes it.
     *
     * @param observation what was seen
     * @param known for each source of surrogates the values that the start state has
     */
    static CanonicalOutcome of(Observation observation, Map<String, Set<String>> known) {
        CanonicalOutcome outcome = new CanonicalOutcome(known);
        Map<String, Rows> rows = byPlace(observation);
        List<Fact> facts = new ArrayList<>();
        rows.forEach((place, of) -> of.rows().forEach(row -> facts.add(new Fact(place, of.columns(), row))));
        outcome.refine(facts);
        rows.keySet().forEach(place -> outcome.places.put(place, new ArrayList<>()));
        facts.forEach(fact -> outcome.at(fact.place()).add(outcome.row(fact)));
        outcome.places.values().forEach(list -> list.sort(java.util.Comparator.comparing(Row::canonical)));
        return outcome;
    }

    private static Map<String, Rows> byPlace(Observation observation) {
        Map<String, Rows> rows = new TreeMap<>();
        observation.tables().forEach((table, of) -> rows.put("table " + table, of));
        for (Part part : observation.parts()) {
            part.readings().forEach(reading -> rows.put(reading.place(), reading.rows()));
        }
        return rows;
    }

    private List<Row> at(String place) {
        return places.getOrDefault(place, List.of());
    }

    private void refine(List<Fact> facts) {
        for (int round = 0; round < ROUNDS; round++) {
            Map<Cell, List<String>> seen = new HashMap<>();
            for (Fact fact : facts) {
                for (int i = 0; i < fact.values().size(); i++) {
                    Cell cell = surrogate(fact, i);
                    if (cell != null) {
                        seen.computeIfAbsent(cell, any -> new ArrayList<>())
                                .add(fact.place() + SEPARATOR + i + SEPARATOR + canonical(fact));
                    }
                }
            }
            if (seen.isEmpty()) {
                return;
            }
            seen.forEach((cell, places) -> colors.put(cell, hash(places)));
        }
    }

    private static String hash(List<String> texts) {
        String all = texts.stream().sorted().collect(Collectors.joining(String.valueOf(SEPARATOR)));
        return UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /** {@return the cell, when its value is a surrogate that the start state does not have} */
    private @Nullable Cell surrogate(Fact fact, int column) {
        String value = fact.values().get(column);
        String surrogate = fact.columns().get(column).surrogate().orElse(null);
        if (value == null
                || surrogate == null
                || known.getOrDefault(surrogate, Set.of()).contains(value)) {
            return null;
        }
        return new Cell(surrogate, value);
    }

    private String canonical(Fact fact) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < fact.values().size(); i++) {
            String value = fact.values().get(i);
            Cell cell = surrogate(fact, i);
            if (value == null) {
                text.append(NULL);
            } else if (cell != null) {
                text.append('~').append(cell.surrogate()).append(SEPARATOR).append(colors.getOrDefault(cell, ""));
            } else {
                text.append('=').append(value);
            }
            text.append(SEPARATOR);
        }
        return text.toString();
    }

    private Row row(Fact fact) {
        String shown = fact.values().stream()
                .map(value -> value == null ? "NULL" : value)
                .collect(Collectors.joining(", "));
        return new Row(canonical(fact), shown);
    }

    /** {@return where it differs from another outcome of the same sessions; empty when they mean the same} */
    List<Difference> differences(CanonicalOutcome other) {
        List<Difference> differences = new ArrayList<>();
        Set<String> all = new java.util.TreeSet<>(places.keySet());
        all.addAll(other.places.keySet());
        for (String place : all) {
            String here = onlyIn(at(place), other.at(place));
            String there = onlyIn(other.at(place), at(place));
            if (!here.isEmpty() || !there.isEmpty() || places.containsKey(place) != other.places.containsKey(place)) {
                differences.add(new Difference(place, here, there));
            }
        }
        return differences;
    }

    private static String onlyIn(List<Row> rows, List<Row> others) {
        List<String> left = others.stream().map(Row::canonical).collect(Collectors.toCollection(ArrayList::new));
        return rows.stream()
                .filter(row -> !left.remove(row.canonical()))
                .map(row -> "(" + row.shown() + ")")
                .collect(Collectors.joining(" "));
    }
}

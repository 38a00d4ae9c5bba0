package dev.cerrojo.leasefaults;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What came of one fault on one store, in all rounds.
 *
 * @param store the store and its client
 * @param fault what befell
 * @param allowed how a round may end: each was held against it
 * @param seen how many rounds ended how
 * @param counts the sums over all rounds
 * @param leads how early losses were told, when another worker acquired the lease after them
 * @param replacedAfter how long after a fault another worker than the holder acquired the lease
 */
record Row(
        String store,
        Fault fault,
        Set<Outcome> allowed,
        Map<Outcome, Long> seen,
        Counts counts,
        Optional<Span> leads,
        Optional<Span> replacedAfter) {
    private static final String TAB = "\t";
    private static final String NONE = "-";
    /** The names of the fields of a line of a results file, in its order. */
    static final String HEADER = String.join(
            TAB,
            "store",
            "fault",
            "allowed",
            "seen",
            "acquisitions",
            "hand-overs",
            "losses",
            "told before",
            "commits",
            "stale",
            "overwritten",
            "told before the next holder, ms",
            "replaced after, ms");

    Row {
        allowed = Set.copyOf(allowed);
        seen = Map.copyOf(seen);
    }

    /**
     * Sums.
     *
     * @param toldBefore how many losses were told before another worker acquired the lease
     */
    record Counts(
            long acquisitions,
            long handOvers,
            long losses,
            long toldBefore,
            long commits,
            long stale,
            long overwritten) {
        private static Counts of(List<Round> rounds) {
            return new Counts(
                    sum(rounds, Round::acquisitions),
                    sum(rounds, Round::handOvers),
                    sum(rounds, Round::losses),
                    sum(rounds, Round::toldBefore),
                    sum(rounds, Round::commits),
                    sum(rounds, Round::stale),
                    sum(rounds, Round::overwritten));
        }

        private static long sum(List<Round> rounds, ToLongFunction<Round> count) {
            return rounds.stream().mapToLong(count).sum();
        }

        List<Long> all() {
            return List.of(acquisitions, handOvers, losses, toldBefore, commits, stale, overwritten);
        }
    }

    /** The least and the greatest of several times, in milliseconds. */
    record Span(long least, long greatest) {
        private static Optional<Span> of(Collection<Duration> times) {
            return times.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Span(
                            times.stream().mapToLong(Duration::toMillis).min().orElseThrow(),
                            times.stream().mapToLong(Duration::toMillis).max().orElseThrow()));
        }

        private static Optional<Span> parse(String text) {
            if (text.equals(NONE)) {
                return Optional.empty();
            }
            String[] ends = text.split("\\.\\.", 2);
            return Optional.of(new Span(Long.parseLong(ends[0]), Long.parseLong(ends[1])));
        }

        @Override
        public String toString() {
            return least + ".." + greatest;
        }
    }

    static Row of(String store, Fault fault, Set<Outcome> allowed, List<Round> rounds) {
        return new Row(
                store,
                fault,
                allowed,
                rounds.stream().collect(Collectors.groupingBy(Round::outcome, Collectors.counting())),
                Counts.of(rounds),
                Span.of(rounds.stream().flatMap(round -> round.leads().stream()).toList()),
                Span.of(rounds.stream()
                        .flatMap(round -> round.replacedAfter().stream())
                        .toList()));
    }

    /** {@return the row that a line of a results file says} */
    static Row parse(String line) {
        String[] cells = line.split(TAB, -1);
        long[] counts =
                Stream.of(cells).skip(4).limit(7).mapToLong(Long::parseLong).toArray();
        return new Row(
                cells[0],
                Fault.valueOf(cells[1]),
                Stream.of(cells[2].split(" ")).map(Outcome::valueOf).collect(Collectors.toSet()),
                Stream.of(cells[3].split(" "))
                        .map(word -> word.split("=", 2))
                        .collect(Collectors.toMap(word -> Outcome.valueOf(word[0]), word -> Long.parseLong(word[1]))),
                new Counts(counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6]),
                Span.parse(cells[11]),
                Span.parse(cells[12]));
    }

    /** {@return the line of a results file} */
    String line() {
        return Stream.of(
                        Stream.of(store, fault.name()),
                        Stream.of(names(allowed), counted()),
                        counts.all().stream().map(String::valueOf),
                        Stream.of(leads, replacedAfter)
                                .map(span -> span.map(String::valueOf).orElse(NONE)))
                .flatMap(cells -> cells)
                .collect(Collectors.joining(TAB));
    }

    private static String names(Set<Outcome> outcomes) {
        return EnumSet.copyOf(outcomes).stream().map(Outcome::name).collect(Collectors.joining(" "));
    }

    private String counted() {
        return new EnumMap<>(seen)
                .entrySet().stream()
                        .map(entry -> entry.getKey().name() + "=" + entry.getValue())
                        .collect(Collectors.joining(" "));
    }

    /** {@return whether writes were fenced} */
    boolean fenced() {
        return !store.endsWith(Site.WITHOUT_FENCES);
    }

    /** {@return how many rounds there were} */
    long rounds() {
        return seen.values().stream().mapToLong(Objects::requireNonNull).sum();
    }
}

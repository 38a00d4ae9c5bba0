package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.schedule.Choice;
import dev.cerrojo.explorer.schedule.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Small pieces of English. */
final class Words {
    /** PostgreSQL: Appendix A, those that concurrent transactions meet. */
    private static final Map<String, String> SQL_STATES = Map.ofEntries(
            Map.entry("23502", "not-null violation"),
            Map.entry("23503", "foreign-key violation"),
            Map.entry("23505", "unique violation"),
            Map.entry("23514", "check violation"),
            Map.entry("23P01", "exclusion violation"),
            Map.entry("25006", "read-only transaction"),
            Map.entry("40001", "serialization failure"),
            Map.entry("40P01", "deadlock detected"),
            Map.entry("55P03", "lock not available"),
            Map.entry("57014", "query canceled"),
            Map.entry("P0001", "raised by PL/pgSQL"));

    private Words() {}

    static String count(long count, String one, String many) {
        return number(count) + " " + (count == 1 ? one : many);
    }

    static String schedules(long count) {
        return count(count, "schedule", "schedules");
    }

    static String number(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    static String duration(Duration duration) {
        double seconds = duration.toNanos() / 1e9;
        return seconds < 60
                ? String.format(Locale.ROOT, "%.1f s", seconds)
                : String.format(Locale.ROOT, "%d min %d s", duration.toMinutes(), duration.toSecondsPart());
    }

    /** {@return the items with commas, and the last word before the last} */
    static String list(List<String> items, String last) {
        int end = items.size() - 1;
        return end < 1
                ? String.join("", items)
                : String.join(", ", items.subList(0, end)) + " " + last + " " + items.get(end);
    }

    static String sessions(List<Integer> sessions) {
        return list(sessions.stream().sorted().map(Words::letter).toList(), "and");
    }

    static String letter(int session) {
        return String.valueOf(Choice.letter(session));
    }

    static String sqlState(String state) {
        String meaning = SQL_STATES.get(state);
        return meaning == null ? state : state + " (" + meaning + ")";
    }

    static String sqlStates(Stream<String> states) {
        return states.map(Words::sqlState).collect(Collectors.joining(", "));
    }

    static String outcome(Outcome outcome) {
        if (outcome instanceof Outcome.Refused refused) {
            return "refused (" + Printable.of(refused.reason()) + ")";
        }
        return outcome.toString();
    }
}

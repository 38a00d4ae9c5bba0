package dev.cerrojo.explorer.check;

import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.schedule.Schedule;
import dev.cerrojo.explorer.schedule.Trace;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One schedule of a scenario, printable as one word: {@code 1:AABB} is schedule {@code AABB} of the first run;
 * {@code 1.AC:AABB} is a schedule of only the first and third session of that run, which are called A and B in it.
 * What stands behind a hyphen is how the schedule went: {@code 1:AABB-k3xq}.
 *
 * @param run the run's number, from 1
 * @param sessions which of its sessions take part, from 0, ascending; empty for all
 * @param schedule the schedule
 * @param course how it went, a character a turn; a replay that goes another way diverges. Without it, only the schedule is followed
 */
public record ReplayToken(int run, List<Integer> sessions, Schedule schedule, Optional<String> course) {
    private static final Pattern WORD =
            Pattern.compile("(?:(\\d+)(?:\\.([A-Z]+))?:)?\\s*([A-Z()!?\\s]+?)(?:-([a-z2-7]+))?");

    /** Copies the sessions. */
    public ReplayToken {
        sessions = List.copyOf(sessions);
    }

    /**
     * One of which only the schedule is known.
     *
     * @param run the run's number, from 1
     * @param sessions which of its sessions take part, from 0, ascending; empty for all
     * @param schedule the schedule
     */
    public ReplayToken(int run, List<Integer> sessions, Schedule schedule) {
        this(run, sessions, schedule, Optional.empty());
    }

    /**
     * The token of what was seen.
     *
     * @param run the run's number, from 1
     * @param sessions which of its sessions took part, from 0, ascending; empty for all
     * @param trace what was seen
     * @return its token
     */
    public static ReplayToken of(int run, List<Integer> sessions, Trace trace) {
        return new ReplayToken(run, sessions, trace.schedule(), Optional.of(trace.course()));
    }

    /**
     * Reads a token.
     *
     * @param word as {@link #toString()} prints it; the run may be left out when it is the first
     * @return the token
     * @throws IllegalArgumentException if it is none
     */
    public static ReplayToken parse(String word) {
        Matcher matcher = WORD.matcher(word.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "a schedule to replay looks like 1:AABB (run 1, then whose turn it is) or"
                            + " 1:AABB(A) (A is a deadlock's victim), but was \"" + word + "\"");
        }
        return new ReplayToken(
                matcher.group(1) == null ? 1 : Integer.parseInt(matcher.group(1)),
                matcher.group(2) == null
                        ? List.of()
                        : matcher.group(2).chars().map(c -> c - 'A').boxed().toList(),
                Schedule.parse(matcher.group(3)),
                Optional.ofNullable(matcher.group(4)));
    }

    /**
     * Picks the sessions that take part.
     *
     * @param whole the run
     * @return the run of those sessions
     * @throws IllegalArgumentException if the run has no such session
     */
    public Run of(Run whole) {
        if (sessions.isEmpty()) {
            return whole;
        }
        if (sessions.get(sessions.size() - 1) >= whole.sessions().size()) {
            throw new IllegalArgumentException("run " + run + " has sessions A to "
                    + (char) ('A' + whole.sessions().size() - 1) + ", but " + this + " names another");
        }
        return new Run(sessions.stream().map(whole.sessions()::get).toList(), whole.at());
    }

    /** The token as one word. */
    @Override
    public String toString() {
        String some = sessions.isEmpty()
                ? ""
                : "."
                        + sessions.stream()
                                .map(s -> String.valueOf((char) ('A' + s)))
                                .reduce("", String::concat);
        return run + some + ":" + schedule + course.map(text -> "-" + text).orElse("");
    }
}

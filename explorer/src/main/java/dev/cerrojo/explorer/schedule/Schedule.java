package dev.cerrojo.explorer.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The order in which the sessions' steps ran, printable as one word: {@code AABB} gives session A two turns and then B
 * two; {@code AABB(A)} says that B's second step closed a deadlock, of which A was the victim. {@code A!} is a crash of A's
 * client instead of its step; {@code A?} a COMMIT of A that is done and never answered.
 *
 * @param choices the decisions, in order
 */
public record Schedule(List<Choice> choices) {
    /** Copies the choices. */
    public Schedule {
        choices = List.copyOf(choices);
    }

    /**
     * Reads a schedule.
     *
     * @param word as {@link #toString()} prints it; white space is ignored
     * @return the schedule
     * @throws IllegalArgumentException if a character has no meaning, with its place
     */
    public static Schedule parse(String word) {
        List<Choice> choices = new ArrayList<>();
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (c == '(' && i + 2 < word.length() && isLetter(word.charAt(i + 1)) && word.charAt(i + 2) == ')') {
                choices.add(new Choice.Victim(word.charAt(i + 1) - 'A'));
                i += 2;
            } else if (isLetter(c)) {
                Optional<Fault> fault = i + 1 < word.length() ? Fault.marked(word.charAt(i + 1)) : Optional.empty();
                choices.add(new Choice.Turn(c - 'A', fault));
                i += fault.isPresent() ? 1 : 0;
            } else if (!Character.isWhitespace(c)) {
                throw new IllegalArgumentException(
                        "a schedule is made of the sessions' letters A to Z, with a deadlock's victim in parentheses,"
                                + " such as AABB(A), ! behind who crashes and ? behind whose answer is lost, but character "
                                + (i + 1) + " of \"" + word + "\" was '" + c
                                + "'");
            }
        }
        return new Schedule(choices);
    }

    private static boolean isLetter(char c) {
        return c >= 'A' && c <= 'Z';
    }

    /** {@return whether a fault befalls a session} */
    public boolean hasFaults() {
        return choices.stream()
                .anyMatch(choice ->
                        choice instanceof Choice.Turn turn && turn.fault().isPresent());
    }

    /** {@return how often the next turn goes to another session than the one before} */
    public int switches() {
        int switches = 0;
        int last = -1;
        for (Choice choice : choices) {
            if (choice instanceof Choice.Turn turn) {
                switches += last >= 0 && last != turn.session() ? 1 : 0;
                last = turn.session();
            }
        }
        return switches;
    }

    /** The schedule as one word. */
    @Override
    public String toString() {
        StringBuilder word = new StringBuilder();
        for (Choice choice : choices) {
            char letter = Choice.letter(choice.session());
            if (choice instanceof Choice.Victim) {
                word.append('(').append(letter).append(')');
            } else {
                word.append(letter);
                ((Choice.Turn) choice).fault().ifPresent(fault -> word.append(fault.mark()));
            }
        }
        return word.toString();
    }
}

package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.search.Execution;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One schedule as text, of sessions that are code and stand in no scenario. */
public final class ScheduleText {
    private ScheduleText() {}

    /**
     * Draws a schedule, and the rows that violate an invariant at its end.
     *
     * @param sessions what each session is called
     * @param says invariant → what it says, in words; may lack any
     * @param execution the schedule
     * @param look how it looks
     * @return lines, each ended
     */
    public static String of(List<String> sessions, Map<String, String> says, Execution execution, Look look) {
        Page page = new Page(look);
        List<List<Phrase>> participants = new ArrayList<>();
        for (int i = 0; i < sessions.size(); i++) {
            String name = Printable.of(sessions.get(i));
            String letter = Words.letter(i);
            participants.add(List.of(Phrase.of(Tone.STRONG, name.equals(letter) ? letter : letter + "  " + name)));
        }
        Timeline.draw(page, TimelineRow.of(participants, execution.trace(), look));
        ViolatingRows.draw(page, violation -> says.getOrDefault(violation.invariant(), ""), execution);
        return page.toString();
    }

    /**
     * Says what sessions ended with.
     *
     * @param outcomes the outcomes, in the sessions' order
     * @return {@code A committed, B refused (…)}
     */
    public static String outcomes(List<Outcome> outcomes) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < outcomes.size(); i++) {
            words.add(Words.letter(i) + " " + Words.outcome(outcomes.get(i)));
        }
        return String.join(", ", words);
    }
}

package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Verdict;
import java.util.Optional;

/**
 * What exploring a race found.
 *
 * @param verdict whether what was asked for holds
 * @param schedules how many schedules were run to their end
 * @param summary the verdict in one sentence, with its reason
 * @param example the shortest schedule that violates something; without one, none
 * @param limits what the verdict does not show
 */
public record Findings(Verdict verdict, long schedules, String summary, Optional<Example> example, String limits) {
    /**
     * A schedule to be shown.
     *
     * @param token runs exactly it again; its number tells what its steps are: 1 more than usual where the start of a session
     *     is one, 2 more where a BEGIN of the code's is
     * @param execution what was seen
     * @param timeline a column for each session, a row for each turn
     */
    public record Example(ReplayToken token, Execution execution, String timeline) {}

    /** {@return all of it as text: the sentence, the schedule, and how to run it again} */
    public String text() {
        return summary
                + example.map(shown -> "\n\n" + shown.timeline() + "\n" + again(shown.token()))
                        .orElse("");
    }

    private static String again(ReplayToken token) {
        return "Run exactly it again: @Replay(\"" + token + "\") on the test, or -Dcerrojo.replay=" + token;
    }

    /** {@return the same as Markdown} */
    public String markdown() {
        return "## " + summary
                + "\n"
                + example.map(shown -> "\n```text\n" + shown.timeline() + "```\n\n" + again(shown.token()) + "\n")
                        .orElse("")
                + "\n" + limits + "\n";
    }
}

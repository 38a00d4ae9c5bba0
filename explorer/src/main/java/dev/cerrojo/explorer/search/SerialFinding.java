package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.Choice;
import dev.cerrojo.explorer.serial.Difference;
import dev.cerrojo.explorer.serial.SerialJudgement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the oracle that needs no invariant says of a schedule.
 *
 * @param judgement whether some serial order of what was committed ends alike
 * @param aborts whether PostgreSQL failed a session, and whether it had to
 */
public record SerialFinding(SerialJudgement judgement, Aborts aborts) {
    /**
     * The same as a violated rule, for whoever has no other.
     *
     * @param rule what to call it
     * @return where the schedule differs from the serial order that is closest to it
     */
    public Violation violation(String rule) {
        if (judgement.differences().isEmpty()) {
            return new Violation(
                    rule, List.of("what"), List.of(List.of("in no serial order do all of these sessions commit")), 1);
        }
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (Difference difference : judgement.differences()) {
            rows.add(List.of(difference.place(), shown(difference.here()), shown(difference.there())));
        }
        return new Violation(rule, List.of("where", "this schedule", "serial order " + order()), rows, rows.size());
    }

    /** {@return the letters of the sessions in the order closest to it} */
    public String order() {
        return judgement.order().stream()
                .map(session -> String.valueOf(Choice.letter(session)))
                .collect(Collectors.joining(" "));
    }

    private static String shown(String rows) {
        return rows.isEmpty() ? "no such row" : rows;
    }
}

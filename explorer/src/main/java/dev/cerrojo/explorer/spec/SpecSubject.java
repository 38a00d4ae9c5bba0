package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.schedule.Choice;
import dev.cerrojo.explorer.schedule.Chooser;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Subject;
import dev.cerrojo.explorer.search.Violation;
import dev.cerrojo.explorer.serial.Difference;
import dev.cerrojo.explorer.serial.SerialJudgement;
import dev.cerrojo.explorer.serial.SerialOracle;
import dev.cerrojo.explorer.serial.SerialRunner.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A program of a specification, with serial equivalence as its only invariant. */
final class SpecSubject implements Subject {
    /** What an anomaly violates. */
    static final String SERIAL_EQUIVALENCE = "serial equivalence";

    private final SpecArena arena;
    private final SpecProgram program;
    private final SerialOracle oracle;
    private @Nullable String undecided;
    private @Nullable Execution last;

    SpecSubject(SpecArena arena, SpecProgram program) {
        this.arena = arena;
        this.program = program;
        this.oracle = new SerialOracle(turns -> arena.runOneByOne(program, turns), arena.start());
    }

    @Override
    public Execution execute(Chooser chooser) {
        last = null;
        SpecArena.Ran ran = arena.run(program, chooser);
        SerialJudgement judgement = oracle.judge(ran.observation());
        if (judgement.kind() == SerialJudgement.Kind.UNDECIDED) {
            undecided = "more than 7 sessions committed, which is too many to run all their serial orders";
        }
        Execution execution =
                new Execution(ran.trace(), judgement.isAnomalous() ? List.of(anomaly(judgement)) : List.of());
        last = execution;
        return execution;
    }

    private static Violation anomaly(SerialJudgement judgement) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (Difference difference : judgement.differences()) {
            rows.add(List.of(difference.place(), shown(difference.here()), shown(difference.there())));
        }
        String order = judgement.order().stream()
                .map(session -> String.valueOf(Choice.letter(session)))
                .collect(Collectors.joining(" "));
        return new Violation(
                SERIAL_EQUIVALENCE, List.of("where", "this schedule", "serial order " + order), rows, rows.size());
    }

    private static String shown(String rows) {
        return rows.isEmpty() ? "no such row" : rows;
    }

    /** {@return the last run, when it came to its end} */
    Optional<Execution> last() {
        return Optional.ofNullable(last);
    }

    /** {@return why some run could not be judged} */
    Optional<String> undecided() {
        return Optional.ofNullable(undecided);
    }

    /** {@return why no run can be compared: what is read differs even between two runs of one serial order} */
    Optional<String> notComparable() {
        List<Turn> turns = arena.turnsAlone(program);
        return oracle.unrepeatable(turns).stream()
                .findFirst()
                .map(difference -> "two runs of one serial order differ in " + difference.place() + ": "
                        + shown(difference.here()) + " and " + shown(difference.there()));
    }

    @Override
    public int sessions() {
        return program.steps().size();
    }

    @Override
    public boolean isReducible() {
        return arena.isReducible();
    }

    @Override
    public boolean controlsVictims() {
        return arena.controlsVictims();
    }
}

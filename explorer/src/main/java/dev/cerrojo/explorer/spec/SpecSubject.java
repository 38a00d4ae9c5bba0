package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.database.Arena;
import dev.cerrojo.explorer.schedule.Chooser;
import dev.cerrojo.explorer.search.AbortQuestion;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.SerialFinding;
import dev.cerrojo.explorer.search.Subject;
import dev.cerrojo.explorer.search.Violation;
import dev.cerrojo.explorer.serial.SerialJudgement;
import dev.cerrojo.explorer.serial.SerialOracle;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A program of a specification, with serial equivalence as its only invariant. */
final class SpecSubject implements Subject {
    private final SpecArena arena;
    private final SpecProgram program;
    private final SerialOracle oracle;
    private final AbortQuestion aborts;
    private @Nullable String undecided;

    SpecSubject(SpecArena arena, SpecProgram program, AbortQuestion aborts) {
        this.arena = arena;
        this.program = program;
        this.aborts = aborts;
        this.oracle = new SerialOracle(turns -> arena.runOneByOne(program, turns), arena.start());
    }

    @Override
    public Execution execute(Chooser chooser) {
        SpecArena.Ran ran = arena.run(program, chooser);
        SerialJudgement judgement = oracle.judge(ran.observation());
        if (judgement.kind() == SerialJudgement.Kind.UNDECIDED) {
            undecided = SerialOracle.TOO_MANY_SESSIONS;
        }
        SerialFinding finding = new SerialFinding(judgement, aborts.in(ran.trace()));
        List<Violation> violations =
                judgement.isAnomalous() ? List.of(finding.violation(Arena.SERIAL_EQUIVALENCE)) : List.of();
        return new Execution(ran.trace(), violations, Optional.of(finding), Optional.empty());
    }

    private static String shown(String rows) {
        return rows.isEmpty() ? "no such row" : rows;
    }

    /** {@return why some run could not be judged} */
    Optional<String> undecided() {
        return Optional.ofNullable(undecided);
    }

    /** {@return what cannot be compared, since it differs even between two runs of one serial order; it no more is} */
    List<String> ignoreUnrepeatable() {
        return oracle.ignoreUnrepeatable(arena.turnsAlone(program)).stream()
                .map(difference -> difference.place() + " is not compared: two runs of one serial order differ there, "
                        + shown(difference.here()) + " and " + shown(difference.there()))
                .toList();
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

package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.database.Arena;
import dev.cerrojo.explorer.schedule.Chooser;
import dev.cerrojo.explorer.search.AbortQuestion;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.SerialFinding;
import dev.cerrojo.explorer.search.Subject;
import dev.cerrojo.explorer.search.Violation;
import dev.cerrojo.explorer.serial.Difference;
import dev.cerrojo.explorer.serial.SerialJudgement;
import dev.cerrojo.explorer.serial.SerialOracle;
import dev.cerrojo.explorer.serial.SerialRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A program of a specification, with serial equivalence as its only invariant. */
final class SpecSubject implements Subject {
    private final SpecArena arena;
    private final SpecProgram program;
    private final SerialOracle oracle;
    private final AbortQuestion aborts;
    private final SerialSchedules serial = new SerialSchedules();
    private final List<String> notCompared = new ArrayList<>();
    private @Nullable String undecided;

    SpecSubject(SpecArena arena, SpecProgram program, AbortQuestion aborts) {
        this.arena = arena;
        this.program = program;
        this.aborts = aborts;
        SerialRunner fresh = turns -> arena.runOneByOne(program, turns);
        this.oracle = new SerialOracle(turns -> serial.of(turns).or(() -> fresh.run(turns)), fresh, arena.start());
    }

    @Override
    public Execution execute(Chooser chooser) {
        SpecArena.Ran ran = arena.run(program, chooser);
        if (arena.runsSerially()) {
            serial.add(ran.trace(), ran.observation());
        }
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

    /** {@return why not all could be judged, in the runs so far} */
    List<String> reservations() {
        return Stream.concat(notCompared.stream(), Optional.ofNullable(undecided).stream())
                .toList();
    }

    /** From now on does not compare what cannot be, since it differs even between two runs of one serial order. */
    void ignoreUnrepeatable() {
        for (Difference difference : oracle.ignoreUnrepeatable(arena.turnsAlone(program))) {
            notCompared.add(difference.place() + " is not compared: two runs of one serial order differ there, "
                    + shown(difference.here()) + " and " + shown(difference.there()));
        }
    }

    /** Does not compare what another subject of the same program does not. */
    void ignoreAlso(SpecSubject other) {
        oracle.ignoreAlso(other.oracle);
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

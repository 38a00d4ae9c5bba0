package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.search.Aborts;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What exploring a specification found.
 *
 * @param spec the specification
 * @param programs what was found of each of its programs, in order; not all of them when a bound was hit
 * @param complete whether every program was explored
 */
public record SpecResult(Spec spec, List<OfProgram> programs, boolean complete) {
    /** Copies the list. */
    public SpecResult {
        programs = List.copyOf(programs);
    }

    /**
     * What was found of one program.
     *
     * @param program the program
     * @param exploration what was found; its violations are anomalies
     * @param doubts what could not be judged, and why; empty when all was
     */
    public record OfProgram(SpecProgram program, Exploration exploration, List<String> doubts) {
        /** Copies the doubts. */
        public OfProgram {
            doubts = List.copyOf(doubts);
        }

        /** {@return how often PostgreSQL failed sessions} */
        public Aborts aborts() {
            return exploration.serial().aborts();
        }

        /** {@return what it says of serial equivalence} */
        public Verdict verdict() {
            boolean unsure = exploration.verdict() == Verdict.HOLDS && !doubts.isEmpty();
            return unsure ? Verdict.INCONCLUSIVE : exploration.verdict();
        }

        /** {@return the shortest anomalous schedule} */
        public Optional<Shown> witness() {
            return exploration.witness().map(this::shown);
        }

        /** {@return the shortest schedule that deadlocks} */
        public Optional<Shown> deadlock() {
            return exploration.deadlock().map(this::shown);
        }

        private Shown shown(Execution execution) {
            return new Shown(program, ReplayToken.of(program.number(), List.of(), execution.trace()), execution);
        }
    }

    /**
     * A schedule to be shown.
     *
     * @param program whose
     * @param token what {@code --replay} takes to run exactly it again
     * @param execution what was seen; its violations are anomalies
     */
    public record Shown(SpecProgram program, ReplayToken token, Execution execution) {}

    /** {@return the verdict over all programs} */
    public Verdict verdict() {
        if (programs.stream().anyMatch(one -> one.verdict() == Verdict.VIOLATED)) {
            return Verdict.VIOLATED;
        }
        boolean holds = complete && programs.stream().allMatch(one -> one.verdict() == Verdict.HOLDS);
        return holds ? Verdict.HOLDS : Verdict.INCONCLUSIVE;
    }

    /** {@return why schedules were left out or could not be judged} */
    public List<String> reasons() {
        return programs.stream()
                .flatMap(one ->
                        java.util.stream.Stream.concat(one.exploration().reason().stream(), one.doubts().stream()))
                .distinct()
                .toList();
    }

    /** {@return the schedules run} */
    public long schedules() {
        return programs.stream().mapToLong(one -> one.exploration().schedules()).sum();
    }

    /** {@return the schedules that end as no serial order does} */
    public long anomalous() {
        return programs.stream().mapToLong(one -> one.exploration().violating()).sum();
    }

    /** {@return the schedules with a deadlock, or a session that would have waited for ever} */
    public long deadlocking() {
        return programs.stream()
                .mapToLong(one -> one.exploration().deadlocking())
                .sum();
    }

    /** {@return the schedules in which a session waited for another} */
    public long waiting() {
        return programs.stream().mapToLong(one -> one.exploration().waiting()).sum();
    }

    /** {@return how often PostgreSQL failed sessions} */
    public Aborts aborts() {
        return programs.stream().map(OfProgram::aborts).reduce(Aborts.NONE, Aborts::with);
    }

    /** {@return the shortest anomalous schedule of all programs} */
    public Optional<Shown> witness() {
        return programs.stream()
                .flatMap(one -> one.witness().stream())
                .min(Comparator.comparingInt(
                        shown -> shown.execution().trace().schedule().switches()));
    }

    /** {@return the shortest schedule of all programs that deadlocks} */
    public Optional<Shown> deadlock() {
        return programs.stream().flatMap(one -> one.deadlock().stream()).findFirst();
    }
}

package dev.cerrojo.explorer.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A session: one connection.
 *
 * @param name its name, unique in the file
 * @param setup runs before the first step of any session
 * @param steps at least one
 * @param teardown runs after the last step of all sessions
 */
public record SpecSession(String name, Optional<SqlBlock> setup, List<SpecStep> steps, Optional<SqlBlock> teardown) {
    /** Copies the steps. */
    public SpecSession {
        steps = List.copyOf(steps);
    }

    /** {@return the units of a program of it, as a {@link Ledger} counts them; none when it takes no part} */
    List<Integer> units(List<SpecStep> program) {
        List<Integer> units = new ArrayList<>();
        if (!program.isEmpty()) {
            setup.ifPresent(block -> units.add(Ledger.SETUP));
            IntStream.range(0, program.size()).forEach(units::add);
            teardown.ifPresent(block -> units.add(program.size()));
        }
        return units;
    }
}

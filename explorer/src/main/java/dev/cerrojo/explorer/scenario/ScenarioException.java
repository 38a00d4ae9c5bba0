package dev.cerrojo.explorer.scenario;

import dev.cerrojo.CerrojoException;
import java.util.List;
import java.util.stream.Collectors;

/** Thrown when a scenario file cannot be read or says something that is not allowed; it carries every problem found. */
public final class ScenarioException extends CerrojoException {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    /**
     * Collects problems; the message has one line for each.
     *
     * @param problems at least one, in the order of the file
     */
    public ScenarioException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** {@return the problems, in the order in which they were found} */
    public List<Problem> problems() {
        return problems;
    }
}

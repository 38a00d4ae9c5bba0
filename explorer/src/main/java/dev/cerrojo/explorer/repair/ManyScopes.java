package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Session;
import dev.cerrojo.explorer.scenario.Value;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A scenario with the rows of more scopes, which its {@code scope_rows} make.
 *
 * @param scenario the scenario as it stands
 * @param values the scopes, none of which a run of the scenario uses
 */
public record ManyScopes(Scenario scenario, List<Value> values) {
    /** Copies the values. */
    public ManyScopes {
        values = List.copyOf(values);
    }

    /**
     * Says why a scenario can have no more scopes.
     *
     * @param scenario the scenario
     * @return half a sentence; empty when it can
     */
    public static Optional<String> impossible(Scenario scenario) {
        return TwoScopes.impossible(scenario);
    }

    /**
     * Makes up scopes.
     *
     * @param scenario one for which that is not {@link #impossible}
     * @param number how many
     * @return the scenario with them
     */
    public static ManyScopes of(Scenario scenario, int number) {
        return new ManyScopes(
                scenario,
                IntStream.rangeClosed(1, number)
                        .mapToObj(i -> TwoScopes.another(scenario, i))
                        .distinct()
                        .toList());
    }

    /** {@return the SQL that makes their rows} */
    public String rows() {
        String template = scenario.scopeRows().orElseThrow();
        return values.stream().map(value -> TwoScopes.rowsOf(template, value)).collect(Collectors.joining("\n"));
    }

    /**
     * Moves a session into a scope.
     *
     * @param session a session of the scenario
     * @param value the scope
     * @return the same calls, about that scope
     */
    public Session in(Session session, Value value) {
        return TwoScopes.inOtherScope(scenario, session, value);
    }
}

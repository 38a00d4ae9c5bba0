package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Session;
import dev.cerrojo.explorer.scenario.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Scopes over which calls are spread, so that no two of them meet.
 *
 * @param scenario the scenario as it stands
 * @param values what the scope parameter is in each; no run of the scenario uses them
 * @param rows SQL that makes the rows of all, for the end of a setup
 */
public record ManyScopes(Scenario scenario, List<Value> values, String rows) {
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
        return Scopes.impossible(scenario)
                .or(() -> Scopes.another(scenario, Scopes.first(scenario), 0).isPresent()
                        ? Optional.empty()
                        : Optional.of(
                                "no more scopes like " + Scopes.first(scenario).literal() + " can be thought of"));
    }

    /**
     * Makes up scopes.
     *
     * @param scenario one for which that is not {@link #impossible}
     * @param number how many
     * @return the scopes
     */
    public static ManyScopes of(Scenario scenario, int number) {
        Value known = Scopes.first(scenario);
        String scopeRows = scenario.scopeRows().orElseThrow();
        List<Value> values = new ArrayList<>();
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < number; i++) {
            Value value = Scopes.another(scenario, known, i).orElseThrow();
            values.add(value);
            rows.append(Scopes.rowsOf(scopeRows, value)).append('\n');
        }
        return new ManyScopes(scenario, values, rows.toString());
    }

    /**
     * Moves a session into a scope.
     *
     * @param session a session of the scenario
     * @param value the scope
     * @return the same calls, about that scope
     */
    public Session in(Session session, Value value) {
        return Scopes.in(scenario, session, value);
    }
}

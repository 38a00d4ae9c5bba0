package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Scopes over which calls are spread, so that no two of them meet.
 *
 * @param values what the scope parameter is in each
 * @param rows SQL that makes the rows of all, for the end of a setup
 */
record ManyScopes(List<Value> values, String rows) {
    ManyScopes {
        values = List.copyOf(values);
    }

    /** Why they cannot be made; empty when they can. */
    static Optional<String> impossible(Scenario scenario) {
        return Scopes.impossible(scenario)
                .or(() -> Scopes.another(scenario, Scopes.first(scenario), 0).isPresent()
                        ? Optional.empty()
                        : Optional.of(
                                "no more scopes like " + Scopes.first(scenario).literal() + " can be thought of"));
    }

    static ManyScopes of(Scenario scenario, int number) {
        Value known = Scopes.first(scenario);
        String scopeRows = scenario.scopeRows().orElseThrow();
        List<Value> values = new ArrayList<>();
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < number; i++) {
            Value value = Scopes.another(scenario, known, i).orElseThrow();
            values.add(value);
            rows.append(Scopes.rowsOf(scopeRows, value)).append('\n');
        }
        return new ManyScopes(values, rows.toString());
    }
}

package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Session;
import dev.cerrojo.explorer.scenario.Value;
import java.util.ArrayList;
import java.util.List;

/** A scenario whose sessions work in different scopes: they must not wait for each other. */
final class TwoScopes {
    private TwoScopes() {}

    /** The same runs, every session but the first of each in a new scope; {@link Scopes#impossible} must be empty. */
    static Scenario of(Scenario scenario) {
        Value known = Scopes.first(scenario);
        Value other = Scopes.another(scenario, known, 0).orElse(known);
        return scenario.withSetupAppended(Scopes.rowsOf(scenario.scopeRows().orElseThrow(), other))
                .withRuns(scenario.runs().stream()
                        .filter(run -> run.sessions().size() > 1)
                        .map(run -> inOtherScope(scenario, run, other))
                        .toList());
    }

    private static Run inOtherScope(Scenario scenario, Run run, Value other) {
        List<Session> sessions = new ArrayList<>(run.sessions());
        sessions.replaceAll(session -> Scopes.in(scenario, session, other));
        sessions.set(0, run.sessions().get(0));
        return new Run(sessions, run.at());
    }
}

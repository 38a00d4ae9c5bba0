package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.scenario.Call;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Session;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.scenario.Value;
import dev.cerrojo.explorer.sql.SqlText;
import dev.cerrojo.explorer.sql.SqlToken;
import dev.cerrojo.invariant.Scope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** A scenario whose sessions work in different scopes: they must not wait for each other. */
final class TwoScopes {
    private static final long FIRST_UUID = 0xce4402fL;

    private TwoScopes() {}

    /** Why it cannot be made; empty when it can. */
    static Optional<String> impossible(Scenario scenario) {
        if (scenario.invariants().stream().anyMatch(invariant -> invariant.scope() instanceof Scope.Global)) {
            return Optional.of("the invariant is global: there is only one scope");
        }
        if (scenario.scopeRows().isEmpty()) {
            return Optional.of("the file has no scope_rows, which make the rows of one more scope");
        }
        return scenario.transactions().values().stream()
                .filter(transaction -> transaction.scope().isEmpty())
                .findFirst()
                .map(transaction -> "transaction " + transaction.name() + " does not declare its scope parameter");
    }

    /** The same runs, every session but the first of each in a new scope. */
    static Scenario of(Scenario scenario) {
        Value other = another(scenario, 1);
        return scenario.withSetupAppended(rowsOf(scenario.scopeRows().orElseThrow(), other))
                .withRuns(scenario.runs().stream()
                        .filter(run -> run.sessions().size() > 1)
                        .map(run -> inOtherScope(scenario, run, other))
                        .toList());
    }

    private static Run inOtherScope(Scenario scenario, Run run, Value other) {
        List<Session> sessions = new ArrayList<>(run.sessions());
        for (int i = 1; i < sessions.size(); i++) {
            sessions.set(i, inOtherScope(scenario, sessions.get(i), other));
        }
        return new Run(sessions, run.at());
    }

    static Session inOtherScope(Scenario scenario, Session session, Value other) {
        return new Session(session.calls().stream()
                .map(call -> inOtherScope(scenario, call, other))
                .toList());
    }

    private static Call inOtherScope(Scenario scenario, Call call, Value other) {
        Map<String, Value> arguments = new LinkedHashMap<>(call.arguments());
        arguments.put(parameter(scenario, call), other);
        return new Call(call.transaction(), arguments);
    }

    private static String parameter(Scenario scenario, Call call) {
        TransactionSpec transaction =
                Objects.requireNonNull(scenario.transactions().get(call.transaction()));
        return transaction.scope().orElseThrow();
    }

    private static Value scopeOf(Scenario scenario, Call call) {
        return Objects.requireNonNull(call.arguments().get(parameter(scenario, call)));
    }

    private static Value known(Scenario scenario) {
        return scenario.runs().get(0).sessions().stream()
                .flatMap(session -> session.calls().stream())
                .map(call -> scopeOf(scenario, call))
                .findFirst()
                .orElseThrow();
    }

    /**
     * A scope of the same kind that no run uses.
     *
     * @param number from 1: each number is another scope
     */
    static Value another(Scenario scenario, int number) {
        Value known = known(scenario);
        if (known instanceof Value.Int) {
            long largest = scenario.runs().stream()
                    .flatMap(run -> run.sessions().stream())
                    .flatMap(session -> session.calls().stream())
                    .flatMap(call -> call.arguments().values().stream())
                    .mapToLong(value -> value instanceof Value.Int used ? used.value() : 0)
                    .max()
                    .orElse(0);
            return new Value.Int(largest + 999 + number);
        }
        if (known instanceof Value.Text text) {
            return new Value.Text(
                    isUuid(text.value())
                            ? "00000000-0000-4000-8000-%012x".formatted(FIRST_UUID + number)
                            : text.value() + "-" + (number + 1));
        }
        return known;
    }

    private static boolean isUuid(String text) {
        try {
            return UUID.fromString(text).toString().equalsIgnoreCase(text);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The setup is one text, so the scope stands in it as a literal. */
    static String rowsOf(String scopeRows, Value scope) {
        StringBuilder sql = new StringBuilder();
        int done = 0;
        for (SqlToken token : SqlText.of(scopeRows).tokens()) {
            if (token.kind() == SqlToken.Kind.VARIABLE && token.text().equals(":scope")) {
                sql.append(scopeRows, done, token.start()).append(scope.literal());
                done = token.end();
            }
        }
        return sql.append(scopeRows.substring(done)) + ";";
    }
}

package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.scenario.Call;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Session;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.scenario.Value;
import dev.cerrojo.explorer.sql.SqlText;
import dev.cerrojo.explorer.sql.SqlToken;
import dev.cerrojo.invariant.Scope;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** More scopes than a scenario has, and its calls in them. */
final class Scopes {
    private static final long APART = 1_000;
    private static final long LAST_OF_UUID = 0xce44030L;

    private Scopes() {}

    /** Why there are no more; empty when there are. */
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

    /** {@return the scope of the first call; every transaction must declare its scope parameter} */
    static Value first(Scenario scenario) {
        Call call = scenario.runs().get(0).sessions().get(0).calls().get(0);
        return of(scenario, call).orElseThrow();
    }

    /** {@return the scope that a call works in; empty when its transaction does not declare one} */
    static Optional<Value> of(Scenario scenario, Call call) {
        return transaction(scenario, call)
                .scope()
                .map(parameter -> Objects.requireNonNull(call.arguments().get(parameter)));
    }

    private static TransactionSpec transaction(Scenario scenario, Call call) {
        return Objects.requireNonNull(scenario.transactions().get(call.transaction()));
    }

    static Session in(Scenario scenario, Session session, Value scope) {
        return new Session(
                session.calls().stream().map(call -> in(scenario, call, scope)).toList());
    }

    private static Call in(Scenario scenario, Call call, Value scope) {
        Map<String, Value> arguments = new LinkedHashMap<>(call.arguments());
        arguments.put(transaction(scenario, call).scope().orElseThrow(), scope);
        return new Call(call.transaction(), arguments);
    }

    /**
     * A value that no run uses.
     *
     * @param known one of the same kind
     * @param number from 0; others for other numbers
     * @return the value; empty for a kind of which there are no more
     */
    static Optional<Value> another(Scenario scenario, Value known, int number) {
        if (known instanceof Value.Int) {
            return Optional.of(new Value.Int(largest(scenario) + APART + number));
        }
        if (known instanceof Value.Text text) {
            return Optional.of(new Value.Text(
                    isUuid(text.value())
                            ? "00000000-0000-4000-8000-%012x".formatted(LAST_OF_UUID + number)
                            : text.value() + "-" + (number + 2)));
        }
        return Optional.empty();
    }

    private static long largest(Scenario scenario) {
        return scenario.runs().stream()
                .flatMap(run -> run.sessions().stream())
                .flatMap(session -> session.calls().stream())
                .flatMap(call -> call.arguments().values().stream())
                .mapToLong(value -> value instanceof Value.Int number ? number.value() : 0)
                .max()
                .orElse(0);
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

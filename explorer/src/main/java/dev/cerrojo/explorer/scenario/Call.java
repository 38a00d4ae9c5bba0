package dev.cerrojo.explorer.scenario;

import java.util.Map;

/**
 * One transaction with its arguments: {@code remove_doctor(shift=1, doctor='A')}.
 *
 * @param transaction the transaction's name
 * @param arguments parameter → value, in the order of the transaction's parameters, every parameter present
 */
public record Call(String transaction, Map<String, Value> arguments) {
    /** Copies the arguments, keeping their order. */
    public Call {
        arguments = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(arguments));
    }

    /** The call as a run entry writes it. */
    @Override
    public String toString() {
        return transaction
                + arguments.entrySet().stream()
                        .map(argument ->
                                argument.getKey() + "=" + argument.getValue().literal())
                        .collect(java.util.stream.Collectors.joining(", ", "(", ")"));
    }
}

package dev.cerrojo.cli;

import dev.cerrojo.guard.Guard;
import dev.cerrojo.ownership.OwnershipTrigger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A report about things of a contract, in JSON.
 *
 * @param terminal where it goes
 * @param kind what one of them is called: {@code invariant}
 * @param name how one of them is named
 * @param <T> what it is about
 */
record ContractReport<T>(Terminal terminal, String kind, Function<T, String> name) {
    static ContractReport<Guard> ofGuards(Terminal terminal) {
        return new ContractReport<>(
                terminal, "invariant", guard -> guard.invariant().name());
    }

    static ContractReport<OwnershipTrigger> ofOwnerships(Terminal terminal) {
        return new ContractReport<>(
                terminal, "table", trigger -> trigger.ownership().table());
    }

    /** {@return what is told of one, with its name} */
    Map<String, Object> entry(T thing, Map<String, ?> facts) {
        Map<String, Object> entry = new LinkedHashMap<>(facts);
        entry.put(kind, name.apply(thing));
        return entry;
    }

    void print(String command, int exitCode, List<Map<String, Object>> entries) {
        JsonOutput.print(terminal, command, exitCode, Map.of(kind + 's', entries));
    }
}

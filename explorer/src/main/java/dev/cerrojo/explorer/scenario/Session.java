package dev.cerrojo.explorer.scenario;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One entry of a run: the transactions of one session, one after another.
 *
 * @param calls at least one
 */
public record Session(List<Call> calls) {
    /** Copies the calls. */
    public Session {
        calls = List.copyOf(calls);
        if (calls.isEmpty()) {
            throw new IllegalArgumentException("a session needs at least one transaction");
        }
    }

    /** The entry as a run writes it. */
    @Override
    public String toString() {
        return calls.stream().map(Call::toString).collect(Collectors.joining("; "));
    }
}

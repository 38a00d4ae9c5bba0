package dev.cerrojo.leasefaults.history;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * An entity's leases after some calls.
 *
 * @param holds what each owner holds
 * @param tokens the newest token of each group's acquisitions, and of the whole entity's as that of {@link #WHOLE}
 */
record State(Map<String, Hold> holds, Map<String, Long> tokens) {
    static final State FIRST = new State(Map.of(), Map.of());
    private static final String WHOLE = "";

    /**
     * What somebody holds.
     *
     * @param groups empty for the whole entity
     * @param mayEnd when it may expire, at the earliest
     * @param mustEnd when it has expired, at the latest
     */
    record Hold(Set<String> groups, long mayEnd, long mustEnd) {}

    State {
        holds = Map.copyOf(holds);
        tokens = Map.copyOf(tokens);
    }

    boolean isHeldBy(String owner) {
        return holds.containsKey(owner);
    }

    /** {@return whether somebody else holds what excludes what a call is about} */
    boolean isExcluded(Call call) {
        return holds.entrySet().stream()
                .anyMatch(held -> call.excludes(held.getKey(), held.getValue().groups()));
    }

    State with(String owner, Hold hold) {
        Map<String, Hold> more = new HashMap<>(holds);
        more.put(owner, hold);
        return new State(more, tokens);
    }

    State without(String owner) {
        Map<String, Hold> fewer = new HashMap<>(holds);
        fewer.remove(owner);
        return new State(fewer, tokens);
    }

    /** {@return the newest token of the acquisitions that exclude one of some groups} */
    long newest(Set<String> groups) {
        Stream<String> excluding =
                groups.isEmpty() ? tokens.keySet().stream() : Stream.concat(Stream.of(WHOLE), groups.stream());
        return excluding.mapToLong(name -> tokens.getOrDefault(name, 0L)).max().orElse(0);
    }

    /** {@return with the token of an acquisition; one whose token was not told changes nothing} */
    State withToken(Call call) {
        Map<String, Long> newer = new HashMap<>(tokens);
        Set<String> names = call.groups().isEmpty() ? Set.of(WHOLE) : call.groups();
        names.forEach(name -> newer.merge(name, call.token(), Math::max));
        return call.token() == 0 ? this : new State(holds, newer);
    }

    /** {@return without what has expired by then, wherever it came to be held} */
    State after(long moment) {
        return holds.entrySet().stream()
                .filter(held -> held.getValue().mustEnd() < moment)
                .map(Map.Entry::getKey)
                .reduce(this, State::without, (first, second) -> second);
    }

    /** {@return what it may be by then: any of what can have expired may have, or not} */
    List<State> until(long moment) {
        List<State> states = List.of(this);
        for (Map.Entry<String, Hold> held : holds.entrySet()) {
            if (held.getValue().mayEnd() <= moment) {
                states = states.stream()
                        .flatMap(state -> Stream.of(state, state.without(held.getKey())))
                        .toList();
            }
        }
        return states;
    }
}

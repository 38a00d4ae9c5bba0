package dev.cerrojo.explorer.stress;

import dev.cerrojo.explorer.repair.ManyScopes;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Session;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Operations of one scope that begin at once: the sessions of one of the scenario's runs.
 *
 * @param number from 0
 * @param scope the number of its scope, from 0
 * @param first the number of the first operation
 * @param sessions one for each operation, at least one
 */
record Group(int number, int scope, int first, List<Session> sessions, Injection injection) {
    Group {
        sessions = List.copyOf(sessions);
    }

    /**
     * Deals operations out.
     *
     * @param scopes the scopes, if there are more than the scenario's own
     */
    static List<Group> deal(Scenario scenario, Optional<ManyScopes> scopes, int operations) {
        int scopeCount = scopes.map(many -> many.values().size()).orElse(1);
        List<Group> groups = new ArrayList<>();
        for (int dealt = 0;
                dealt < operations;
                dealt += groups.get(groups.size() - 1).sessions().size()) {
            int number = groups.size();
            List<Session> sessions = sessions(scenario.runs(), number).stream()
                    .map(session -> scopes.map(
                                    many -> many.in(session, many.values().get(number % scopeCount)))
                            .orElse(session))
                    .limit(operations - (long) dealt)
                    .toList();
            groups.add(new Group(number, number % scopeCount, dealt, sessions, Injection.of(number, scopeCount)));
        }
        return groups;
    }

    /** The runs by turns; a session that runs alone is joined by another like it. */
    private static List<Session> sessions(List<Run> runs, int number) {
        List<Session> sessions = runs.get(number % runs.size()).sessions();
        return sessions.size() > 1 ? sessions : List.of(sessions.get(0), sessions.get(0));
    }

    /**
     * {@return the numbers of groups in piles: those of one scope are worked through one after another, since what one leaves
     * may decide how another ends; but where there is one scope only, each for itself}
     */
    static Collection<List<Integer>> piles(List<Group> groups) {
        boolean oneScope = groups.stream().allMatch(group -> group.scope() == 0);
        Map<Integer, List<Integer>> piles = new LinkedHashMap<>();
        groups.forEach(
                group -> piles.computeIfAbsent(oneScope ? group.number() : group.scope(), any -> new ArrayList<>())
                        .add(group.number()));
        return piles.values();
    }
}

package dev.cerrojo.explorer.check;

import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Exploration;
import java.util.Optional;

/**
 * What exploring one run found.
 *
 * @param number the run's number in the scenario, from 1
 * @param run the run
 * @param exploration what was found
 * @param witness the shortest witness, when the invariant is violated
 */
public record RunResult(int number, Run run, Exploration exploration, Optional<Witness> witness) {
    /**
     * A violating schedule to be shown: fewest sessions, then fewest switches.
     *
     * @param run the sessions that it needs: the whole run, or some of it
     * @param token what {@code --replay} takes to run exactly it again
     * @param execution what was seen
     */
    public record Witness(Run run, ReplayToken token, Execution execution) {}
}

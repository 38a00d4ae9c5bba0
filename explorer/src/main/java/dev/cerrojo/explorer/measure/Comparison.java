package dev.cerrojo.explorer.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Runs contenders by turns, in short rounds: each round of one is followed by a round of the next, so that noise of the machine
 * hits all alike. The first round of each only warms up.
 *
 * @param clients how many clients each contender has, each on a thread of its own; 1 or more
 * @param rounds how many rounds of each count; 1 or more
 * @param round how long a round takes; longer than zero
 */
public record Comparison(int clients, int rounds, Duration round) {
    /** Checks the numbers. */
    public Comparison {
        require(clients >= 1, "clients must be 1 or more, but was " + clients);
        require(rounds >= 1, "rounds must be 1 or more, but was " + rounds);
        require(!round.isZero() && !round.isNegative(), "round must be longer than PT0S, but was " + round);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /**
     * Compares; takes {@code contenders × (rounds + 1) × round}.
     *
     * @param contenders at least one; ratios are to the first
     * @return what was measured of each, in their order
     * @throws Exception what a client failed with; all clients are closed
     */
    public List<Measured> of(List<? extends Contender> contenders) throws Exception {
        Map<String, List<Round>> rounds = new LinkedHashMap<>();
        contenders.forEach(contender -> rounds.put(contender.name(), new ArrayList<>()));
        require(rounds.size() == contenders.size() && !rounds.isEmpty(), "contenders must have names of their own");
        try (Teams teams = new Teams(clients)) {
            for (Contender contender : contenders) {
                teams.add(contender);
            }
            warmUp(teams, contenders);
            run(teams, contenders, rounds);
        }
        List<Round> first = rounds.values().iterator().next();
        return rounds.entrySet().stream()
                .map(entry -> Measured.of(entry.getKey(), entry.getValue(), first))
                .toList();
    }

    private void warmUp(Teams teams, List<? extends Contender> contenders) throws Exception {
        for (Contender contender : contenders) {
            teams.round(contender, round);
            contender.warmedUp();
        }
    }

    private void run(Teams teams, List<? extends Contender> contenders, Map<String, List<Round>> measured)
            throws Exception {
        for (int i = 0; i < rounds; i++) {
            for (Contender contender : contenders) {
                Objects.requireNonNull(measured.get(contender.name())).add(teams.round(contender, round));
            }
        }
    }
}

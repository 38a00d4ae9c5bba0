package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.Fault;
import dev.cerrojo.explorer.schedule.StepInfo;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Gives turns by chance, in one of three ways by turns: to any session; by priorities that change at few moments (Burckhardt,
 * Kothari, Musuvathi, Nagarakatte: A randomized scheduler with probabilistic guarantees of finding bugs, ASPLOS 2010); or
 * letting each session go on, but for one or two preemptions (Musuvathi, Qadeer: Iterative context bounding, PLDI 2007).
 */
final class RandomChooser extends PathChooser {
    private static final int MOST_CHANGES = 3;
    private static final int MOST_PREEMPTIONS = 2;

    /** Of so many moments at which a fault can happen. */
    private static final int ONE_FAULT_IN = 8;

    private final long seed;
    private final int way;
    private final int length;
    private Random random;
    private Map<Integer, Double> priorities = new HashMap<>();
    private Set<Integer> moments = Set.of();

    /**
     * Makes one.
     *
     * @param number which of the random schedules
     * @param length how long schedules are, about
     */
    RandomChooser(long seed, long number, int length) {
        super(List.of());
        this.seed = seed * 1_000_003 + number;
        this.way = (int) (number % 3);
        this.length = Math.max(length, 1);
        this.random = new Random(this.seed);
        restart();
    }

    @Override
    public void restart() {
        random = new Random(seed);
        priorities = new HashMap<>();
        moments = new HashSet<>();
        int most = way == 1 ? MOST_CHANGES : MOST_PREEMPTIONS;
        int count = random.nextInt(most) + 1;
        for (int i = 0; i < count; i++) {
            moments.add(random.nextInt(length));
        }
    }

    @Override
    public int turn(int position, List<Integer> options, int last, Map<Integer, StepInfo> pending) {
        List<Integer> faults =
                options.stream().filter(option -> Fault.of(option).isPresent()).toList();
        if (!faults.isEmpty() && random.nextInt(ONE_FAULT_IN) == 0) {
            return anyOf(faults);
        }
        List<Integer> turns =
                options.stream().filter(option -> Fault.of(option).isEmpty()).toList();
        return switch (way) {
            case 0 -> anyOf(turns);
            case 1 -> byPriority(position, turns, last);
            default -> withFewPreemptions(position, turns, last);
        };
    }

    private int anyOf(List<Integer> options) {
        return options.get(random.nextInt(options.size()));
    }

    /** At a moment of change the session that ran falls behind all others. */
    private int byPriority(int position, List<Integer> options, int last) {
        options.forEach(session -> priorities.computeIfAbsent(session, any -> 1 + random.nextDouble()));
        if (moments.contains(position) && last >= 0) {
            priorities.put(last, -(double) position);
        }
        int highest = options.get(0);
        for (int session : options) {
            if (priorities.getOrDefault(session, 0.0) > priorities.getOrDefault(highest, 0.0)) {
                highest = session;
            }
        }
        return highest;
    }

    private int withFewPreemptions(int position, List<Integer> options, int last) {
        if (!options.contains(last)) {
            return anyOf(options);
        }
        List<Integer> others =
                options.stream().filter(session -> session != last).toList();
        return moments.contains(position) && !others.isEmpty() ? anyOf(others) : last;
    }
}

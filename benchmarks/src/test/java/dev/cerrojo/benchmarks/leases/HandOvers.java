package dev.cerrojo.benchmarks.leases;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Holders and those who wait for them: two instances of each library, as in two processes, since within one some hand a lock over
 * without the store.
 *
 * <p>Measured is how long it takes from the release of a lock until who waits for it has it; by turns, one hand-over of each library, then the next.
 * The holder keeps it for a random time, so that who only asks from time to time is met at any moment between.
 */
final class HandOvers {
    private static final int LEAST_HELD_MILLIS = 150;
    private static final int MOST_HELD_MILLIS = 350;

    private HandOvers() {}

    /** {@return the latencies of each library in ms, sorted} */
    static Map<String, double[]> measure(List<Rival> holders, List<Rival> waiting, int times) throws Exception {
        Map<String, List<Double>> latencies = new LinkedHashMap<>();
        ExecutorService waiter = Executors.newSingleThreadExecutor();
        try {
            for (int i = -1; i < times; i++) {
                for (int j = 0; j < holders.size(); j++) {
                    String name = holders.get(j).name();
                    double millis = handOver(holders.get(j), waiting.get(j), waiter);
                    if (i >= 0) {
                        latencies
                                .computeIfAbsent(name, any -> new ArrayList<>())
                                .add(millis);
                    }
                }
            }
        } finally {
            waiter.shutdownNow();
        }
        Map<String, double[]> sorted = new LinkedHashMap<>();
        latencies.forEach((name, all) ->
                sorted.put(name, all.stream().mapToDouble(it -> it).sorted().toArray()));
        return sorted;
    }

    private static double handOver(Rival rival, Rival waits, ExecutorService waiter) throws Exception {
        Rival.Held first = rival.take("hand-over");
        Future<Long> taken = waiter.submit(() -> {
            Rival.Held second = waits.await("hand-over");
            long now = System.nanoTime();
            second.release();
            return now;
        });
        Thread.sleep(ThreadLocalRandom.current().nextInt(LEAST_HELD_MILLIS, MOST_HELD_MILLIS));
        if (taken.isDone()) {
            throw new IllegalStateException(rival.name() + " gave one lock to two: " + taken.get());
        }
        long released = System.nanoTime();
        first.release();
        return (taken.get(1, TimeUnit.MINUTES) - released) / 1e6;
    }

    /** {@return the latency that a part of them does not exceed} */
    static double quantile(double[] sorted, double part) {
        return sorted[(int) Math.min(sorted.length - 1L, Math.round(Math.ceil(part * sorted.length)) - 1)];
    }
}

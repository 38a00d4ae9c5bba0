package dev.cerrojo.explorer.measure;

import dev.cerrojo.explorer.measure.Contender.Client;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The clients of all contenders, and the threads that run one contender's at a time. */
final class Teams implements AutoCloseable {
    private static final long ROUND_LIMIT_SECONDS = 300;

    private final int size;
    private final ExecutorService threads;
    private final Map<String, List<Client>> clients = new LinkedHashMap<>();

    Teams(int size) {
        this.size = size;
        this.threads = Executors.newFixedThreadPool(size, task -> {
            Thread thread = new Thread(task, "cerrojo-client");
            thread.setDaemon(true);
            return thread;
        });
    }

    void add(Contender contender) throws Exception {
        List<Client> team = new ArrayList<>();
        clients.put(contender.name(), team);
        for (int number = 0; number < size; number++) {
            team.add(contender.client(number));
        }
    }

    /** Runs bursts until the time is over; what is done between them counts as time that passes, not as time that clients ran. */
    Round round(Contender contender, Duration duration) throws Exception {
        Round.Sum sum = new Round.Sum();
        long begun = System.nanoTime();
        do {
            int most = contender.prepare();
            long left = most == Integer.MAX_VALUE
                    ? duration.toNanos()
                    : Math.max(1, duration.toNanos() - (System.nanoTime() - begun));
            burst(Objects.requireNonNull(clients.get(contender.name())), most, left)
                    .addTo(sum, most);
        } while (System.nanoTime() - begun < duration.toNanos());
        return sum.round();
    }

    private Burst burst(List<Client> team, int most, long nanos) throws Exception {
        CyclicBarrier start = new CyclicBarrier(size);
        List<Future<Work>> running = team.stream()
                .map(client -> threads.submit(() -> {
                    start.await();
                    return work(client, most, nanos);
                }))
                .toList();
        List<Work> done = new ArrayList<>();
        for (Future<Work> each : running) {
            done.add(result(each));
        }
        return new Burst(done);
    }

    private static Work result(Future<Work> running) throws Exception {
        try {
            return running.get(ROUND_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }

    private static Work work(Client client, int most, long nanos) throws Exception {
        Work work = new Work();
        long begun = System.nanoTime();
        long now = begun;
        while (now - begun < nanos && work.transactions < most) {
            work.retries += client.transaction();
            work.transactions++;
            long ended = System.nanoTime();
            work.latencies.add(ended - now);
            now = ended;
        }
        work.nanos = now - begun;
        return work;
    }

    /** What one client does in one burst. */
    private static final class Work {
        private final LongStream.Builder latencies = LongStream.builder();
        private int transactions;
        private long nanos;
        private long retries;
    }

    /** What clients do that begin at the same moment. */
    private record Burst(List<Work> works) {
        void addTo(Round.Sum sum, int most) {
            works.forEach(work -> sum.add(work.latencies.build(), work.retries));
            sum.lasted(nanos(most));
        }

        /** Those who did all they may were waited for; those whom the time stopped were not. */
        private double nanos(int most) {
            LongStream each = works.stream().mapToLong(work -> work.nanos);
            return works.stream().allMatch(work -> work.transactions == most)
                    ? each.max().orElse(0)
                    : each.average().orElse(0);
        }
    }

    @Override
    public void close() throws Exception {
        threads.shutdownNow();
        Exception failure = null;
        for (Client client : clients.values().stream().flatMap(List::stream).toList()) {
            failure = close(client, failure);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static @Nullable Exception close(Client client, @Nullable Exception before) {
        try {
            client.close();
            return before;
        } catch (Exception failure) {
            if (before == null) {
                return failure;
            }
            before.addSuppressed(failure);
            return before;
        }
    }
}

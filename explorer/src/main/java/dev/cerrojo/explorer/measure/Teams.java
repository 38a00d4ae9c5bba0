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

    Round round(String name, Duration duration) throws Exception {
        CyclicBarrier start = new CyclicBarrier(size);
        List<Future<Work>> running = Objects.requireNonNull(clients.get(name)).stream()
                .map(client -> threads.submit(() -> {
                    start.await();
                    return work(client, duration);
                }))
                .toList();
        List<Work> done = new ArrayList<>();
        for (Future<Work> each : running) {
            done.add(result(each));
        }
        return total(done);
    }

    private static Work result(Future<Work> running) throws Exception {
        try {
            return running.get(ROUND_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }

    private static Work work(Client client, Duration duration) throws Exception {
        Work work = new Work();
        long begun = System.nanoTime();
        long now = begun;
        while (now - begun < duration.toNanos()) {
            work.retries += client.transaction();
            long ended = System.nanoTime();
            work.latencies.add(ended - now);
            now = ended;
        }
        work.nanos = now - begun;
        return work;
    }

    private static Round total(List<Work> done) {
        double nanos = done.stream().mapToLong(work -> work.nanos).average().orElseThrow();
        return new Round(
                nanos / TimeUnit.SECONDS.toNanos(1),
                done.stream().flatMapToLong(work -> work.latencies.build()).toArray(),
                done.stream().mapToLong(work -> work.retries).sum());
    }

    /** What one client does in one round. */
    private static final class Work {
        private final LongStream.Builder latencies = LongStream.builder();
        private long nanos;
        private long retries;
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

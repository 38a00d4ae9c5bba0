package dev.cerrojo.etcd;

import java.lang.System.Logger.Level;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One watch for keys that go. etcd's answer is a stream: a line when it watches, then one for each time that keys went. When it ends,
 * another begins, at the next member; meanwhile something may have been missed, so a hint is given.
 */
final class Watch implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Watch.class.getName());
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration BEFORE_AGAIN = Duration.ofMillis(200);

    private final Gateway gateway;
    private final KeyRange range;
    private final Runnable hint;
    private final CompletableFuture<Boolean> watching = new CompletableFuture<>();
    private volatile boolean closed;
    private volatile @Nullable Lines current;
    private volatile CompletableFuture<?> request = CompletableFuture.completedFuture(null);

    Watch(Gateway gateway, KeyRange range, Runnable hint) {
        this.gateway = gateway;
        this.range = range;
        this.hint = hint;
    }

    void begin() {
        again();
        watching.copy()
                .completeOnTimeout(false, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    private void again() {
        if (closed) {
            return;
        }
        int member = gateway.member();
        Lines lines = new Lines();
        current = lines;
        CompletableFuture<?> sent = gateway.client()
                .sendAsync(
                        gateway.request(member, "/v3/watch", Requests.watchDeletions(range))
                                .build(),
                        BodyHandlers.fromLineSubscriber(lines));
        request = sent;
        CompletableFuture<?> unused = sent.whenComplete((response, failure) -> ended(member, failure));
        if (closed) {
            close();
        }
    }

    private void ended(int member, @Nullable Throwable failure) {
        if (!closed) {
            LOGGER.log(Level.DEBUG, "etcd's watch for released leases is begun again", failure);
            gateway.skip(member);
            CompletableFuture.delayedExecutor(BEFORE_AGAIN.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(this::again);
        }
    }

    private void line(String line) {
        if (watching.isDone() || line.contains("\"events\"")) {
            hint.run();
        }
        watching.complete(true);
    }

    /** The stream's lines. */
    private final class Lines implements Flow.Subscriber<String> {
        private volatile Flow.@Nullable Subscription subscription;

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            if (closed) {
                given.cancel();
            } else {
                given.request(Long.MAX_VALUE);
            }
        }

        @Override
        public void onNext(String line) {
            Watch.this.line(line);
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onComplete() {}

        void cancel() {
            Flow.Subscription begun = subscription;
            if (begun != null) {
                begun.cancel();
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        Lines lines = current;
        if (lines != null) {
            lines.cancel();
        }
        request.cancel(true);
    }
}

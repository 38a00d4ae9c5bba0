package dev.cerrojo.redis;

import dev.cerrojo.lease.ReleaseWatch;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One connection of Lettuce's for all channels. Lettuce opens it again when it breaks, and subscribes to them again. */
final class LettuceListener implements Subscriptions.Connection, AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(LettuceListener.class.getName());

    private final Supplier<StatefulRedisPubSubConnection<String, String>> opening;
    private final Subscriptions subscriptions = new Subscriptions(this);
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable StatefulRedisPubSubConnection<String, String> connection;
    private boolean isOpening;
    private boolean closed;

    LettuceListener(Supplier<StatefulRedisPubSubConnection<String, String>> opening) {
        this.opening = opening;
    }

    ReleaseWatch listen(String channel, Runnable hint) {
        openInTheBackground();
        return subscriptions.add(channel, hint);
    }

    /** To connect may take long, and nobody should wait for more than a hint is worth. */
    private void openInTheBackground() {
        lock.lock();
        try {
            if (connection == null && !isOpening && !closed) {
                isOpening = true;
                CompletableFuture<?> unused = CompletableFuture.runAsync(this::open);
            }
        } finally {
            lock.unlock();
        }
    }

    private void open() {
        try {
            StatefulRedisPubSubConnection<String, String> opened = opening.get();
            opened.addListener(new Messages());
            take(opened);
            subscriptions.renew();
        } catch (RedisException unreachable) {
            LOGGER.log(Level.DEBUG, "there is no connection that listens for released leases", unreachable);
        } finally {
            openingIsOver();
        }
    }

    private void take(StatefulRedisPubSubConnection<String, String> opened) {
        lock.lock();
        try {
            if (closed) {
                opened.close();
            } else {
                connection = opened;
            }
        } finally {
            lock.unlock();
        }
    }

    private void openingIsOver() {
        lock.lock();
        try {
            isOpening = false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void subscribe(String channel) {
        send(commands -> commands.subscribe(channel));
    }

    @Override
    public void unsubscribe(String channel) {
        send(commands -> commands.unsubscribe(channel));
    }

    /** Sends nothing without a connection: it begins with all channels. Lettuce confirms by a message. */
    private void send(Function<RedisPubSubAsyncCommands<String, String>, RedisFuture<Void>> command) {
        lock.lock();
        try {
            if (connection != null) {
                RedisFuture<Void> unused = command.apply(connection.async());
            }
        } finally {
            lock.unlock();
        }
    }

    /** What Lettuce tells, on a thread of its own. */
    private final class Messages extends RedisPubSubAdapter<String, String> {
        @Override
        public void subscribed(String channel, long count) {
            subscriptions.confirmed(channel);
        }

        @Override
        public void message(String channel, String message) {
            subscriptions.message(channel);
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (connection != null) {
                connection.close();
                connection = null;
            }
        } finally {
            lock.unlock();
        }
    }
}

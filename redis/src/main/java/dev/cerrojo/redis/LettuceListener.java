package dev.cerrojo.redis;

import dev.cerrojo.lease.ReleaseWatch;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.lang.System.Logger.Level;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One connection of Lettuce's for all channels. Lettuce opens it again when it breaks, and subscribes to them again. */
final class LettuceListener implements Subscriptions.Connection, AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(LettuceListener.class.getName());

    private final Supplier<StatefulRedisPubSubConnection<String, String>> opening;
    private final Subscriptions subscriptions = new Subscriptions(this);
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable StatefulRedisPubSubConnection<String, String> connection;
    private boolean closed;

    LettuceListener(Supplier<StatefulRedisPubSubConnection<String, String>> opening) {
        this.opening = opening;
    }

    ReleaseWatch listen(String channel, Runnable hint) {
        return subscriptions.add(channel, hint);
    }

    @Override
    public void subscribe(String channel) {
        StatefulRedisPubSubConnection<String, String> open = open();
        if (open != null) {
            RedisFuture<Void> unused = open.async().subscribe(channel); // confirmed by a message
        }
    }

    @Override
    public void unsubscribe(String channel) {
        lock.lock();
        try {
            if (connection != null) {
                RedisFuture<Void> unused = connection.async().unsubscribe(channel);
            }
        } finally {
            lock.unlock();
        }
    }

    /** {@return the connection; null when there can be none: then nobody is told, and asks instead} */
    private @Nullable StatefulRedisPubSubConnection<String, String> open() {
        lock.lock();
        try {
            if (connection == null && !closed) {
                connection = opening.get();
                connection.addListener(new Messages());
            }
        } catch (RedisException unreachable) {
            LOGGER.log(Level.DEBUG, "there is no connection that listens for released leases", unreachable);
        } finally {
            lock.unlock();
        }
        return connection;
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

package dev.cerrojo.redis;

import dev.cerrojo.lease.ReleaseWatch;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Who listens to which channel of one connection. Each channel is subscribed to once, however many listen. */
final class Subscriptions {
    private static final System.Logger LOGGER = System.getLogger(Subscriptions.class.getName());
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Channel> channels = new HashMap<>();
    private final Connection connection;

    Subscriptions(Connection connection) {
        this.connection = connection;
    }

    /** What sends the commands; called one at a time. A connection that is not there does nothing, and says so by no confirmation. */
    interface Connection {
        void subscribe(String channel);

        void unsubscribe(String channel);
    }

    /** Who listens to a channel. */
    private static final class Channel {
        private final Set<Hint> hints = new CopyOnWriteArraySet<>();
        private final CompletableFuture<Boolean> confirmed = new CompletableFuture<>();

        void hint() {
            hints.forEach(Hint::give);
        }
    }

    /** Apart from each other, even if two have the same action. */
    private static final class Hint {
        private final Runnable action;

        Hint(Runnable action) {
            this.action = action;
        }

        /** The connection must stay well whatever comes of it. */
        void give() {
            try {
                action.run();
            } catch (RuntimeException mistake) {
                LOGGER.log(Level.WARNING, "a hint that a lease was released must throw nothing", mistake);
            }
        }
    }

    /** Waits until Redis has confirmed the channel, but not for long. */
    ReleaseWatch add(String name, Runnable action) {
        Hint hint = new Hint(action);
        Channel channel = join(name, hint);
        channel.confirmed
                .copy()
                .completeOnTimeout(false, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        return () -> leave(name, hint);
    }

    private Channel join(String name, Hint hint) {
        lock.lock();
        try {
            Channel known = channels.get(name);
            Channel channel = known == null ? new Channel() : known;
            channel.hints.add(hint);
            if (known == null) {
                channels.put(name, channel);
                connection.subscribe(name);
            }
            return channel;
        } finally {
            lock.unlock();
        }
    }

    private void leave(String name, Hint hint) {
        lock.lock();
        try {
            Channel channel = channels.get(name);
            if (channel != null && channel.hints.remove(hint) && channel.hints.isEmpty()) {
                channels.remove(name);
                connection.unsubscribe(name);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Subscribes to all channels again, on a new connection. */
    void renew() {
        lock.lock();
        try {
            channels.keySet().forEach(connection::subscribe);
        } finally {
            lock.unlock();
        }
    }

    /** Redis has confirmed a channel; again, after a new connection: then messages may have been missed. */
    void confirmed(String name) {
        Channel channel = find(name);
        if (channel != null && !channel.confirmed.complete(true)) {
            channel.hint();
        }
    }

    /** Redis has a message in a channel. */
    void message(String name) {
        Channel channel = find(name);
        if (channel != null) {
            channel.hint();
        }
    }

    private @Nullable Channel find(String name) {
        lock.lock();
        try {
            return channels.get(name);
        } finally {
            lock.unlock();
        }
    }
}

package dev.cerrojo.redis;

import dev.cerrojo.lease.ReleaseWatch;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One connection of Jedis's pool for all channels, and the thread that Jedis needs to read it. It begins with a channel that nobody uses,
 * and so stays subscribed to one whoever comes and goes: Jedis gives a connection back as soon as it is subscribed to none, though others
 * may be about to come.
 */
final class JedisListener implements Subscriptions.Connection, AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(JedisListener.class.getName());
    private static final String UNUSED = "cerrojo:listener";
    private static final Duration BEFORE_AGAIN = Duration.ofMillis(200);

    private final UnifiedJedis jedis;
    private final Subscriptions subscriptions = new Subscriptions(this);
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Thread thread;
    private volatile @Nullable Messages live;
    private volatile boolean closed;

    JedisListener(UnifiedJedis jedis) {
        this.jedis = jedis;
    }

    ReleaseWatch listen(String channel, Runnable hint) {
        start();
        return subscriptions.add(channel, hint);
    }

    private void start() {
        lock.lock();
        try {
            if (thread == null && !closed) {
                thread = new Thread(this::listenForEver, "cerrojo-redis-listener");
                thread.setDaemon(true);
                thread.start();
            }
        } finally {
            lock.unlock();
        }
    }

    private void listenForEver() {
        while (!closed) {
            try {
                jedis.subscribe(new Messages(), UNUSED);
            } catch (JedisException broken) {
                LOGGER.log(Level.DEBUG, "the connection that listens for released leases is opened again", broken);
            }
            live = null;
            if (!closed) {
                LockSupport.parkNanos(BEFORE_AGAIN.toNanos());
            }
        }
    }

    /** What Jedis tells, on the listener's thread. */
    private final class Messages extends JedisPubSub {
        @Override
        public void onSubscribe(String channel, int count) {
            if (channel.equals(UNUSED)) {
                begin(this);
            } else {
                subscriptions.confirmed(channel);
            }
        }

        @Override
        public void onMessage(String channel, String message) {
            subscriptions.message(channel);
        }
    }

    private void begin(Messages messages) {
        live = messages;
        if (closed) {
            messages.unsubscribe();
        } else {
            subscriptions.renew();
        }
    }

    @Override
    public void subscribe(String channel) {
        onLive(messages -> messages.subscribe(channel));
    }

    @Override
    public void unsubscribe(String channel) {
        onLive(messages -> messages.unsubscribe(channel));
    }

    private interface Command {
        void sendTo(Messages messages);
    }

    /** Without a connection there is nothing to do: the next one begins with all channels. */
    private void onLive(Command command) {
        Messages messages = live;
        if (messages != null) {
            try {
                command.sendTo(messages);
            } catch (JedisException broken) {
                LOGGER.log(Level.DEBUG, "the connection that listens for released leases has ended", broken);
            }
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (thread != null) {
                LockSupport.unpark(thread);
            }
        } finally {
            lock.unlock();
        }
        onLive(Messages::unsubscribe);
    }
}

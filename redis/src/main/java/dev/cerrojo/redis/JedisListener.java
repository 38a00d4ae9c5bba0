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
    private @Nullable Messages live;
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
            end();
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
        lock.lock();
        try {
            if (closed) {
                messages.unsubscribe();
            } else {
                live = messages;
            }
        } finally {
            lock.unlock();
        }
        subscriptions.renew();
    }

    private void end() {
        lock.lock();
        try {
            live = null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void subscribe(String channel) {
        send(messages -> messages.subscribe(channel));
    }

    @Override
    public void unsubscribe(String channel) {
        send(messages -> messages.unsubscribe(channel));
    }

    private interface Command {
        void sendTo(Messages messages);
    }

    /**
     * Sends nothing without a connection: the next one begins with all channels. Nor anything after the last command of one, whose
     * answer would be read by whoever gets the connection from the pool next.
     */
    private void send(Command command) {
        lock.lock();
        try {
            if (live != null) {
                command.sendTo(live);
            }
        } catch (JedisException broken) {
            LOGGER.log(Level.DEBUG, "the connection that listens for released leases has ended", broken);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            send(Messages::unsubscribe);
            closed = true;
            live = null;
            if (thread != null) {
                LockSupport.unpark(thread);
            }
        } finally {
            lock.unlock();
        }
    }
}

package dev.cerrojo.redis;

import dev.cerrojo.lease.ReleaseWatch;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Redis by Lettuce: a single server, sentinels or a cluster.
 *
 * <pre>{@code
 * Redis redis = LettuceRedis.over(RedisClient.create("redis://localhost"));
 * }</pre>
 *
 * <p>Opens one connection, and a second one for listening when somebody waits for a lease; {@link #close} closes both.
 */
public final class LettuceRedis implements Redis {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);

    private final StatefulConnection<String, String> connection;
    private final RedisScriptingAsyncCommands<String, String> commands;
    private final LettuceListener listener;
    private final Duration answerWithin;
    private final AtomicBoolean closed = new AtomicBoolean();

    private LettuceRedis(
            StatefulConnection<String, String> connection,
            RedisScriptingAsyncCommands<String, String> commands,
            Supplier<StatefulRedisPubSubConnection<String, String>> listening,
            Duration answerWithin) {
        this.connection = connection;
        this.commands = commands;
        this.listener = new LettuceListener(listening);
        this.answerWithin = answerWithin;
    }

    /**
     * {@return an adapter of a client, which stays the caller's; an answer is waited for up to 2 seconds}
     *
     * @throws io.lettuce.core.RedisException when it cannot connect
     */
    public static LettuceRedis over(RedisClient client) {
        return over(client, ANSWER_WITHIN);
    }

    /**
     * {@return an adapter of a client, which stays the caller's}
     *
     * @param answerWithin for how long an answer is waited for; should be shorter than leases last. The client's own limit is for other
     *     commands
     * @throws io.lettuce.core.RedisException when it cannot connect
     */
    public static LettuceRedis over(RedisClient client, Duration answerWithin) {
        StatefulRedisConnection<String, String> connection = client.connect();
        return new LettuceRedis(connection, connection.async(), client::connectPubSub, answerWithin);
    }

    /** {@return an adapter of a cluster's client; else as {@link #over(RedisClient)}} */
    public static LettuceRedis over(RedisClusterClient client) {
        return over(client, ANSWER_WITHIN);
    }

    /** {@return an adapter of a cluster's client; else as {@link #over(RedisClient, Duration)}} */
    public static LettuceRedis over(RedisClusterClient client, Duration answerWithin) {
        StatefulRedisClusterConnection<String, String> connection = client.connect();
        return new LettuceRedis(connection, connection.async(), client::connectPubSub, answerWithin);
    }

    @Override
    public long eval(RedisScript script, List<String> keys, List<String> arguments) {
        String[] key = keys.toArray(String[]::new);
        String[] argument = arguments.toArray(String[]::new);
        try {
            return answer(commands.evalsha(script.sha(), ScriptOutputType.INTEGER, key, argument));
        } catch (RedisNoScriptException unknown) {
            return answer(commands.eval(script.text(), ScriptOutputType.INTEGER, key, argument));
        }
    }

    /** A command that is given up is not sent any more, if it has not been. */
    private long answer(RedisFuture<Long> future) {
        try {
            return future.get(answerWithin.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            future.cancel(true);
            throw new CancellationException("no answer within %s".formatted(answerWithin));
        } catch (InterruptedException interrupted) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted");
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failure);
        }
    }

    @Override
    public ReleaseWatch listen(String channel, Runnable hint) {
        return listener.listen(channel, hint);
    }

    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            listener.close();
            connection.close();
        }
    }
}

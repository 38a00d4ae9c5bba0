package dev.cerrojo.redis;

import dev.cerrojo.lease.ReleaseWatch;
import java.util.List;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * Redis by Jedis: a single server, sentinels or a cluster.
 *
 * <pre>{@code
 * Redis redis = JedisRedis.over(RedisClient.create("redis://localhost"));
 * }</pre>
 *
 * <p>How long an answer is waited for is a setting of the client ({@code socketTimeoutMillis}, 2 seconds if it is not set); it should be
 * shorter than leases last. Once somebody has waited for a lease, one of the client's connections is used for listening until this is
 * closed, and a daemon thread named {@code cerrojo-redis-listener}.
 */
public final class JedisRedis implements Redis {
    private final UnifiedJedis jedis;
    private final JedisListener listener;

    private JedisRedis(UnifiedJedis jedis) {
        this.jedis = jedis;
        this.listener = new JedisListener(jedis);
    }

    /** {@return an adapter of a client with a pool, which stays the caller's} */
    public static JedisRedis over(UnifiedJedis jedis) {
        return new JedisRedis(jedis);
    }

    @Override
    public long eval(RedisScript script, List<String> keys, List<String> arguments) {
        return (Long) run(script, keys, arguments);
    }

    private Object run(RedisScript script, List<String> keys, List<String> arguments) {
        try {
            return jedis.evalsha(script.sha(), keys, arguments);
        } catch (JedisNoScriptException unknown) {
            return jedis.eval(script.text(), keys, arguments);
        }
    }

    @Override
    public ReleaseWatch listen(String channel, Runnable hint) {
        return listener.listen(channel, hint);
    }

    @Override
    public void close() {
        listener.close();
    }
}

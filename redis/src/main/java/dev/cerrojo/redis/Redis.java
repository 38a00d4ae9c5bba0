package dev.cerrojo.redis;

import dev.cerrojo.lease.ReleaseWatch;
import java.util.List;

/**
 * What is needed of a Redis client: one method. {@link JedisRedis} and {@link LettuceRedis} are there; for another client:
 *
 * <pre>{@code
 * Redis redis = (script, keys, arguments) -> (Long) client.eval(script.text(), keys, arguments);
 * LeaseStore store = RedisLeaseStore.over(redis);
 * }</pre>
 *
 * <p>Used by any number of threads.
 */
@FunctionalInterface
public interface Redis extends AutoCloseable {
    /**
     * Runs a script, by EVALSHA if it can, on the master that has its keys. It should end within a few seconds, with or without an
     * answer: longer than a lease lasts, nobody needs it.
     *
     * @param keys all that the script touches; of one slot
     * @param arguments what the script finds in {@code ARGV}
     * @return the script's answer, which is always an integer
     * @throws RuntimeException any, when Redis cannot be reached, does not answer, or answers with an error. The script may have run
     */
    long eval(RedisScript script, List<String> keys, List<String> arguments);

    /**
     * Listens to a channel. Needed for nothing but speed: without it, who waits for a lease asks again from time to time.
     *
     * <p>Returns when Redis has confirmed it, or after a second at most; throws nothing. A connection that breaks is opened again.
     *
     * @param hint called for each message, on a thread of the client's, and whenever messages may have been missed; returns at once
     * @return ends it when it is closed
     */
    default ReleaseWatch listen(String channel, Runnable hint) {
        return ReleaseWatch.NONE;
    }

    /** Gives back what this adapter has opened by itself; the client stays open. */
    @Override
    default void close() {}
}

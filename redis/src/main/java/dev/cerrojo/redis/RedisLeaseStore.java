package dev.cerrojo.redis;

import dev.cerrojo.lease.LeaseAttempt;
import dev.cerrojo.lease.LeaseClaim;
import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.lease.LeaseStoreException;
import dev.cerrojo.lease.ReleaseWatch;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Leases on Redis or Valkey, a single server or a cluster. The clock is Redis's.
 *
 * <pre>{@code
 * LeaseStore store = RedisLeaseStore.over(JedisRedis.over(jedis));
 * Leases leases = Leases.over(store, settings, Fences.over(dataSource));
 * }</pre>
 *
 * <p><b>What Redis alone does not promise.</b> A server that starts without its keys, a replica that becomes master before it has all of
 * them, and a clock that jumps ahead let a second holder in while the first still counts on its lease. The first one's next renewal
 * fails then; until it does, only {@linkplain dev.cerrojo.lease.Fences fences} keep its writes out. Without fences the token is
 * the server's clock, in microseconds, and never falls but when that does and the keys are gone.
 *
 * <p>An entity's leases are one key, the prefix and the entity's name, which Redis removes a minute after the last has ended; releases are
 * told in the channel of the same name.
 */
public final class RedisLeaseStore implements LeaseStore {
    private static final String DEFAULT_PREFIX = "cerrojo:lease:";

    private final Redis redis;
    private final String prefix;

    private RedisLeaseStore(Redis redis, String prefix) {
        this.redis = redis;
        this.prefix = prefix;
    }

    /** {@return a store whose keys begin with {@code cerrojo:lease:}; closing it closes the adapter, not its client} */
    public static RedisLeaseStore over(Redis redis) {
        return over(redis, DEFAULT_PREFIX);
    }

    /**
     * {@return a store whose keys begin with a prefix; else as {@link #over(Redis)}}
     *
     * @param prefix may have a hash tag
     */
    public static RedisLeaseStore over(Redis redis, String prefix) {
        return new RedisLeaseStore(redis, prefix);
    }

    @Override
    public LeaseAttempt tryAcquire(LeaseClaim claim, Duration leaseDuration) {
        List<Long> answer = eval("take", LeaseScripts.ACQUIRE, claim, micros(leaseDuration));
        return answer.get(0) == 1
                ? new LeaseAttempt.Granted(answer.get(1), leaseDuration)
                : new LeaseAttempt.Refused(Duration.of(answer.get(1), ChronoUnit.MICROS));
    }

    @Override
    public Optional<Duration> renew(LeaseClaim claim, Duration leaseDuration) {
        return eval("renew", LeaseScripts.RENEW, claim, micros(leaseDuration)).get(0) == 1
                ? Optional.of(leaseDuration)
                : Optional.empty();
    }

    @Override
    public boolean release(LeaseClaim claim) {
        return eval("release", LeaseScripts.RELEASE, claim, key(claim.entity())).get(0) == 1;
    }

    @Override
    public ReleaseWatch watch(String entity, Duration upTo, Runnable hint) {
        return redis.listen(key(entity), hint);
    }

    @Override
    public void close() {
        redis.close();
    }

    private List<Long> eval(String what, RedisScript script, LeaseClaim claim, String argument) {
        List<String> arguments =
                Stream.concat(Stream.of(claim.owner(), argument), fields(claim)).toList();
        try {
            return redis.eval(script, List.of(key(claim.entity())), arguments);
        } catch (RuntimeException failure) {
            throw new LeaseStoreException(
                    "Redis did not say whether it could %s the lease of \"%s\": %s: see the cause; asking again is safe"
                            .formatted(what, claim.entity(), failure.getMessage()),
                    failure);
        }
    }

    private static Stream<String> fields(LeaseClaim claim) {
        return claim.isWhole()
                ? Stream.of(LeaseScripts.WHOLE)
                : claim.groups().stream().map(group -> LeaseScripts.GROUP + group);
    }

    private String key(String entity) {
        return prefix + entity;
    }

    /** Rounded up: it is granted for at least as long as was asked for. */
    private static String micros(Duration duration) {
        return String.valueOf(duration.plus(ChronoUnit.MICROS.getDuration())
                .minusNanos(1)
                .dividedBy(ChronoUnit.MICROS.getDuration()));
    }
}

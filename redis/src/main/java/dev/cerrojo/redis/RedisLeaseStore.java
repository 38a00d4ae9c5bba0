package dev.cerrojo.redis;

import dev.cerrojo.lease.LeaseAttempt;
import dev.cerrojo.lease.LeaseClaim;
import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.lease.LeaseStoreException;
import dev.cerrojo.lease.ReleaseWatch;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

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
 * <p>An entity's leases are one key, the prefix and the entity's name, which Redis removes within two minutes after the last has ended, or
 * when nobody waits any more; releases are told in the channel of the same name, if somebody waits.
 */
public final class RedisLeaseStore implements LeaseStore {
    private static final System.Logger LOGGER = System.getLogger(RedisLeaseStore.class.getName());
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
        long answer = eval("take", LeaseScripts.of(claim).acquire(), claim, stays(leaseDuration));
        return answer > 0
                ? new LeaseAttempt.Granted(answer, leaseDuration)
                : new LeaseAttempt.Refused(Duration.of(-answer, ChronoUnit.MICROS));
    }

    @Override
    public Optional<Duration> renew(LeaseClaim claim, Duration leaseDuration) {
        return eval("renew", LeaseScripts.of(claim).renew(), claim, stays(leaseDuration)) == 1
                ? Optional.of(leaseDuration)
                : Optional.empty();
    }

    @Override
    public boolean release(LeaseClaim claim) {
        return eval("release", LeaseScripts.of(claim).release(), claim) == 1;
    }

    /** Whoever listens is noted, for releases that nobody waits for are not told. */
    @Override
    public ReleaseWatch watch(String entity, Duration upTo, Runnable hint) {
        ReleaseWatch watch = redis.listen(key(entity), hint);
        if (watch != ReleaseWatch.NONE) {
            note(entity, upTo);
        }
        return watch;
    }

    /** Without the note, who waits asks again from time to time. */
    private void note(String entity, Duration upTo) {
        try {
            long unused = redis.eval(LeaseScripts.AWAIT, List.of(key(entity)), List.of(millis(upTo)));
        } catch (RuntimeException unreachable) {
            LOGGER.log(Level.DEBUG, "that somebody waits for a lease could not be noted", unreachable);
        }
    }

    @Override
    public void close() {
        redis.close();
    }

    private long eval(String what, RedisScript script, LeaseClaim claim, String... stays) {
        try {
            return redis.eval(script, List.of(key(claim.entity())), arguments(claim, stays));
        } catch (RuntimeException failure) {
            throw new LeaseStoreException(
                    "Redis did not say whether it could %s the lease of \"%s\": %s: see the cause; asking again is safe"
                            .formatted(what, claim.entity(), failure.getMessage()),
                    failure);
        }
    }

    private static List<String> arguments(LeaseClaim claim, String... stays) {
        List<String> arguments =
                new ArrayList<>(1 + stays.length + claim.groups().size());
        arguments.add(claim.owner());
        arguments.addAll(Arrays.asList(stays));
        claim.groups().forEach(group -> arguments.add(LeaseScripts.GROUP + group));
        return arguments;
    }

    private String key(String entity) {
        return prefix + entity;
    }

    /** One more, since Redis ends it by whole milliseconds of its clock: it is granted for at least as long as was asked for. */
    private static String stays(Duration leaseDuration) {
        return millis(leaseDuration.plusMillis(LeaseScripts.GRACE_MILLIS + 1));
    }

    private static String millis(Duration duration) {
        return Long.toString((duration.toNanos() + 999_999) / 1_000_000);
    }
}

package dev.cerrojo.redis;

import dev.cerrojo.idempotency.ClaimAttempt;
import dev.cerrojo.idempotency.ClaimTerms;
import dev.cerrojo.idempotency.ClaimToken;
import dev.cerrojo.idempotency.IdempotencyStoreException;
import dev.cerrojo.idempotency.RequestHash;
import dev.cerrojo.idempotency.RequestKey;
import dev.cerrojo.idempotency.RequestStore;
import dev.cerrojo.idempotency.StoredResponse;
import dev.cerrojo.idempotency.StuckClaim;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Requests on Redis or Valkey, a single server or a cluster: in phases only. The clock is Redis's.
 *
 * <pre>{@code
 * RequestStore store = RedisRequestStore.over(JedisRedis.over(jedis));
 * PhasedRequests requests = PhasedRequests.over(store, settings);
 * }</pre>
 *
 * <p><b>In phases only.</b> What is kept here is never one commit with an effect in a database: between the two a crash leaves nobody who
 * knows. Where the effect is in PostgreSQL, take {@link dev.cerrojo.idempotency.IdempotentRequests}, with the keys there.
 *
 * <p><b>What Redis alone does not promise.</b> A server that starts without its last keys, or a replica that becomes master before it has
 * them, does not know a claim or a response any more, and lets the request be done again. Only an effect that takes the key is made
 * once then. The server must not evict keys ({@code maxmemory-policy noeviction}).
 *
 * <p>An entry is one key, which Redis removes when its retention is over; one that is left to a person stays until it is settled. One more key has the
 * names of all pending ones, so that {@link #stuck} reads no others: all keys of a store are in one slot. To spread them over a
 * cluster, take several stores, each with a prefix of its own. Responses should be small: below 100 kB.
 */
public final class RedisRequestStore implements RequestStore, AutoCloseable {
    private static final String DEFAULT_PREFIX = "{cerrojo:request}:";
    private static final Pattern HASH_TAG = Pattern.compile("[^{}]*\\{[^{}]+}.*");
    private static final String GIVEN_UP = "its holder gave no sign of life, and it is not known whether it was done";
    private static final int PAGE = 100;

    private final Redis redis;
    private final String prefix;
    private final String index;

    private RedisRequestStore(Redis redis, String prefix) {
        this.redis = redis;
        this.prefix = prefix + "entry:";
        this.index = prefix + "pending";
    }

    /** {@return a store whose keys begin with <code>{cerrojo:request}:</code>; closing it closes the adapter, not its client} */
    public static RedisRequestStore over(Redis redis) {
        return over(redis, DEFAULT_PREFIX);
    }

    /**
     * {@return a store whose keys begin with a prefix; else as {@link #over(Redis)}}
     *
     * @param prefix has a hash tag, such as <code>{shop}:request:</code>, so that all keys are in one slot
     * @throws IllegalArgumentException when it has none
     */
    public static RedisRequestStore over(Redis redis, String prefix) {
        if (!HASH_TAG.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "a prefix of requests must have a hash tag, such as \"{shop}:request:\", but was \"%s\""
                            .formatted(prefix));
        }
        return new RedisRequestStore(redis, prefix);
    }

    @Override
    public ClaimAttempt<StoredResponse> claim(RequestKey key, RequestHash request, ClaimToken token, ClaimTerms terms) {
        Iterator<Long> answer = eval(
                        "claim",
                        ClaimScripts.CLAIM,
                        name(key),
                        token.hex(),
                        request.toString(),
                        micros(terms.claimFor()),
                        micros(terms.retention()),
                        terms.takeover().name(),
                        GIVEN_UP)
                .iterator();
        return attempt(answer.next().intValue(), answer);
    }

    private static ClaimAttempt<StoredResponse> attempt(int what, Iterator<Long> more) {
        return switch (what) {
            case 1 -> new ClaimAttempt.Claimed<>(more.next().intValue());
            case 2 -> new ClaimAttempt.Completed<>(ResponseText.read(PackedText.next(more)));
            case 3 -> new ClaimAttempt.Failed<>(PackedText.next(more));
            case 4 -> new ClaimAttempt.InProgress<>(Duration.of(more.next(), ChronoUnit.MICROS));
            case 5 -> new ClaimAttempt.Abandoned<>(new ClaimToken(PackedText.next(more)));
            default -> new ClaimAttempt.Mismatch<>();
        };
    }

    @Override
    public boolean renew(RequestKey key, ClaimToken token, Duration claimFor) {
        return isDone("renew", ClaimScripts.RENEW, key, token, micros(claimFor));
    }

    @Override
    public boolean complete(RequestKey key, ClaimToken token, StoredResponse result, Duration retention) {
        return isDone("complete", ClaimScripts.COMPLETE, key, token, ResponseText.of(result), micros(retention));
    }

    @Override
    public boolean fail(RequestKey key, ClaimToken token, String reason, Duration retention) {
        return isDone("fail", ClaimScripts.FAIL, key, token, reason, micros(retention));
    }

    @Override
    public boolean forget(RequestKey key, ClaimToken token) {
        return isDone("forget", ClaimScripts.FORGET, key, token);
    }

    @Override
    public boolean abandon(RequestKey key, ClaimToken token) {
        return isDone("abandon", ClaimScripts.ABANDON, key, token);
    }

    private boolean isDone(String what, RedisScript script, RequestKey key, ClaimToken token, String... more) {
        String[] arguments =
                Stream.concat(Stream.of(token.hex()), Arrays.stream(more)).toArray(String[]::new);
        return eval(what, script, name(key), arguments).get(0) == 1;
    }

    @Override
    public List<StuckClaim> stuck(int most) {
        List<StuckClaim> stuck = new ArrayList<>();
        look(most, Integer.MAX_VALUE, stuck::add);
        return stuck;
    }

    /** Redis forgets entries by itself; this removes the names of those from the key that has the names. */
    @Override
    public int purge(int most) {
        return look(Integer.MAX_VALUE, most, found -> {});
    }

    /**
     * Goes through the names of what is stale, the oldest first. What is not stuck is not among them any more afterwards.
     *
     * @return how many names were removed
     */
    private int look(int mostStuck, int mostRemoved, Consumer<StuckClaim> found) {
        int stuck = 0;
        int removed = 0;
        List<String> names = stale(0, mostStuck);
        while (!names.isEmpty() && stuck < mostStuck && removed < mostRemoved) {
            for (String name : names) {
                Iterator<Long> answer =
                        eval("look for", ClaimScripts.LOOK, name, "").iterator();
                int what = answer.next().intValue();
                if (what == 1) {
                    found.accept(stuck(name, answer));
                    stuck++;
                }
                removed += what == 2 ? 1 : 0;
            }
            names = stale(stuck, mostStuck - stuck);
        }
        return removed;
    }

    private static StuckClaim stuck(String name, Iterator<Long> answer) {
        int number = answer.next().intValue();
        Duration since = Duration.of(answer.next(), ChronoUnit.MICROS);
        return new StuckClaim(plain(name), new ClaimToken(PackedText.next(answer)), number, since);
    }

    private List<String> stale(int leftOut, int most) {
        List<String> arguments = List.of(Integer.toString(leftOut), Integer.toString(Math.min(most, PAGE)));
        return PackedText.all(eval("look for stuck claims", ClaimScripts.STALE, List.of(index), arguments));
    }

    private List<Long> eval(String what, RedisScript script, String name, String... more) {
        List<String> arguments =
                Stream.concat(Stream.of(name), Arrays.stream(more)).toList();
        return eval(what + " \"" + plain(name) + '"', script, List.of(prefix + name, index), arguments);
    }

    private List<Long> eval(String what, RedisScript script, List<String> keys, List<String> arguments) {
        try {
            return redis.eval(script, keys, arguments);
        } catch (RuntimeException failure) {
            throw new IdempotencyStoreException(
                    "Redis did not say whether it could %s: %s: see the cause; asking again is safe"
                            .formatted(what, failure.getMessage()),
                    failure);
        }
    }

    /** Apart for each two keys: parts have no slash that divides nothing. */
    private static String name(RequestKey key) {
        return Stream.of(key.operation(), key.caller(), key.key())
                .map(part -> part.replace("%", "%25").replace("/", "%2F"))
                .collect(Collectors.joining("/"));
    }

    private static String plain(String name) {
        return Objects.requireNonNull(name).replace("%2F", "/").replace("%25", "%");
    }

    /** Rounded up: it is granted for at least as long as was asked for. */
    private static String micros(Duration duration) {
        return Long.toString((duration.toNanos() + 999) / 1000);
    }

    @Override
    public void close() {
        redis.close();
    }
}

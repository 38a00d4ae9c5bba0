package dev.cerrojo.etcd;

import dev.cerrojo.lease.LeaseAttempt;
import dev.cerrojo.lease.LeaseClaim;
import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.lease.LeaseStoreException;
import dev.cerrojo.lease.ReleaseWatch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Leases on etcd 3.4 and later, over its JSON gateway, which each member has at the address for clients. The clock is that of etcd's
 * leader.
 *
 * <pre>{@code
 * LeaseStore store = EtcdLeaseStore.over(List.of(URI.create("http://etcd-1:2379"), URI.create("http://etcd-2:2379")));
 * Leases leases = Leases.over(store, settings);
 * }</pre>
 *
 * <p>What is held is a key with an etcd lease: it goes when that ends. The fencing token is etcd's revision, which only grows, also
 * across expiry, release, and loss of a member. etcd counts in whole seconds, grants
 * no less than its own least (2 seconds, unless its election timeout is set shorter), and looks twice a second for what is over. So a
 * lease of a holder that died lasts up to a second and a half longer than was asked for.
 *
 * <p>etcd takes up to 127 groups of one entity at once, unless its {@code max-txn-ops} is set higher.
 *
 * <p>Members are asked in turn: the first until it fails, then the next.
 */
public final class EtcdLeaseStore implements LeaseStore {
    private static final String PREFIX = "cerrojo/lease/";
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(3);

    private final Gateway gateway;
    private final Watches watches;

    private EtcdLeaseStore(Gateway gateway) {
        this.gateway = gateway;
        this.watches = new Watches(gateway);
    }

    /**
     * {@return a store; an answer is waited for up to 3 seconds, all members together}
     *
     * @param endpoints the addresses of members, such as {@code http://127.0.0.1:2379}; one or more
     */
    public static EtcdLeaseStore over(List<URI> endpoints) {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(ANSWER_WITHIN)
                .build();
        return over(endpoints, client, ANSWER_WITHIN);
    }

    /**
     * {@return a store with a client of the user's, which has the certificates for TLS}
     *
     * @param endpoints the addresses of members; one or more
     * @param client should speak HTTP/1.1 only, since etcd takes HTTP/2 without TLS for gRPC
     * @param answerWithin for how long an answer is waited for, all members together; should be shorter than leases last
     * @throws IllegalArgumentException when there is no endpoint, or it is not an address with {@code http} or {@code https}
     */
    public static EtcdLeaseStore over(List<URI> endpoints, HttpClient client, Duration answerWithin) {
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("endpoints of etcd must be one or more, but there are none");
        }
        endpoints.forEach(EtcdLeaseStore::check);
        return new EtcdLeaseStore(new Gateway(client, endpoints, answerWithin));
    }

    private static void check(URI endpoint) {
        if (endpoint.getHost() == null || !String.valueOf(endpoint.getScheme()).matches("https?")) {
            throw new IllegalArgumentException(
                    "an endpoint of etcd must be an address such as http://127.0.0.1:2379, but was \"%s\""
                            .formatted(endpoint));
        }
    }

    @Override
    public LeaseAttempt tryAcquire(LeaseClaim claim, Duration leaseDuration) {
        return ask("take", claim, () -> acquire(claim, leaseDuration));
    }

    /** Looks before it writes: who waits and is refused costs etcd no write. */
    private LeaseAttempt acquire(LeaseClaim claim, Duration leaseDuration) throws IOException {
        Holds holds = read(claim);
        Optional<Hold> other = holds.inTheWayOf(claim);
        if (other.isPresent()) {
            return new LeaseAttempt.Refused(EtcdLease.left(gateway, other.get().lease()));
        }
        EtcdLease lease = EtcdLease.grant(gateway, leaseDuration);
        Stream<String> free =
                holds.keys().excluding(claim).stream().map(range -> Requests.unchanged(range, holds.revision()));
        Optional<Long> revision = put(claim, lease, free);
        if (revision.isEmpty()) {
            // Somebody came first, or it was done and etcd was asked once more: either way nothing must stay.
            EtcdLease.revoke(gateway, lease.id());
        }
        return revision.<LeaseAttempt>map(token -> new LeaseAttempt.Granted(token, lease.duration()))
                .orElse(new LeaseAttempt.Refused(Duration.ZERO));
    }

    @Override
    public Optional<Duration> renew(LeaseClaim claim, Duration leaseDuration) {
        return ask("renew", claim, () -> {
            Optional<Long> lease = read(claim).leaseOf(claim);
            return lease.isEmpty() ? Optional.empty() : renew(claim, lease.get(), leaseDuration);
        });
    }

    private Optional<Duration> renew(LeaseClaim claim, long id, Duration leaseDuration) throws IOException {
        Optional<EtcdLease> kept = EtcdLease.keepAlive(gateway, id);
        boolean tooShort =
                kept.map(lease -> lease.duration().compareTo(leaseDuration) < 0).orElse(false);
        return tooShort ? lengthen(claim, id, leaseDuration) : kept.map(EtcdLease::duration);
    }

    /** etcd cannot change how long a lease lasts, so the keys are tied to another one. */
    private Optional<Duration> lengthen(LeaseClaim claim, long id, Duration leaseDuration) throws IOException {
        EtcdLease longer = EtcdLease.grant(gateway, leaseDuration);
        Stream<String> held = keys(claim).of(claim).stream().map(key -> Requests.valueIs(key, claim.owner()));
        boolean isHeld = put(claim, longer, held).isPresent();
        EtcdLease.revoke(gateway, isHeld ? id : longer.id());
        return isHeld ? Optional.of(longer.duration()) : Optional.empty();
    }

    @Override
    public boolean release(LeaseClaim claim) {
        return ask("release", claim, () -> {
            Holds holds = read(claim);
            boolean held = holds.leaseOf(claim).isPresent();
            for (long lease : holds.leasesOf(claim)) {
                held &= EtcdLease.revoke(gateway, lease);
            }
            return held;
        });
    }

    @Override
    public ReleaseWatch watch(String entity, Duration upTo, Runnable hint) {
        return watches.open(EntityKeys.of(PREFIX, entity).all(), hint);
    }

    @Override
    public void close() {
        watches.close();
    }

    private static EntityKeys keys(LeaseClaim claim) {
        return EntityKeys.of(PREFIX, claim.entity());
    }

    private Holds read(LeaseClaim claim) throws IOException {
        EntityKeys keys = keys(claim);
        return Holds.of(keys, gateway.ask("/v3/kv/range", Requests.range(keys.all())));
    }

    /** {@return the revision; empty when a condition does not hold} */
    private Optional<Long> put(LeaseClaim claim, EtcdLease lease, Stream<String> conditions) throws IOException {
        Answer answer =
                gateway.ask("/v3/kv/txn", Requests.putIf(conditions, keys(claim).of(claim), claim.owner(), lease.id()));
        return answer.truth("succeeded") ? Optional.of(answer.object("header").number("revision")) : Optional.empty();
    }

    /** Asks etcd, once or several times. */
    private interface Question<T> {
        T ask() throws IOException;
    }

    private static <T> T ask(String what, LeaseClaim claim, Question<T> question) {
        try {
            return question.ask();
        } catch (IOException | RuntimeException failure) {
            throw new LeaseStoreException(
                    "etcd did not say whether it could %s the lease of \"%s\": %s: see the cause; asking again is safe"
                            .formatted(what, claim.entity(), failure.getMessage()),
                    failure);
        }
    }
}

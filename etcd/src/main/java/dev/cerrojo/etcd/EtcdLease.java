package dev.cerrojo.etcd;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * What etcd calls a lease: a time to live that keys are tied to. In whole seconds.
 *
 * @param id etcd's number of it
 * @param duration how long it lasts when nobody keeps it alive
 */
record EtcdLease(long id, Duration duration) {
    /** {@return a new one, at least as long as asked for} */
    static EtcdLease grant(Gateway gateway, Duration atLeast) throws IOException {
        long seconds = atLeast.plusSeconds(1).minusNanos(1).toSeconds();
        Answer answer = gateway.ask("/v3/lease/grant", Requests.grant(seconds));
        return new EtcdLease(answer.number("ID"), Duration.ofSeconds(answer.number("TTL")));
    }

    /** Has one last its whole duration from now on; empty when it is over. */
    static Optional<EtcdLease> keepAlive(Gateway gateway, long id) throws IOException {
        long seconds = gateway.ask("/v3/lease/keepalive", Requests.lease(id))
                .object("result")
                .number("TTL");
        return seconds > 0 ? Optional.of(new EtcdLease(id, Duration.ofSeconds(seconds))) : Optional.empty();
    }

    /** {@return how long one lasts still, rounded down; zero when it is over} */
    static Duration left(Gateway gateway, long id) throws IOException {
        long seconds = gateway.ask("/v3/lease/timetolive", Requests.lease(id)).number("TTL");
        return Duration.ofSeconds(Math.max(0, seconds));
    }

    /**
     * Ends one, with all keys that are tied to it.
     *
     * @return whether it was there until now
     */
    static boolean revoke(Gateway gateway, long id) throws IOException {
        try {
            gateway.ask("/v3/lease/revoke", Requests.lease(id));
            return true;
        } catch (EtcdException failure) {
            if (failure.notFound()) {
                return false;
            }
            throw failure;
        }
    }
}

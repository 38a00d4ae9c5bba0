package dev.cerrojo.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.lease.LeaseAttempt.Granted;
import dev.cerrojo.lease.LeaseAttempt.Refused;
import dev.cerrojo.lease.LeaseClaim;
import dev.cerrojo.lease.LeaseStoreException;
import dev.cerrojo.lease.ReleaseWatch;
import dev.cerrojo.testsupport.process.Await;
import dev.cerrojo.testsupport.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is Redis's own, beside what each store does. */
class RedisLeaseStoreTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static RedisServer server;

    private final String entity = Claims.newEntity();

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    void scriptsThatRedisHasForgottenAreSentAgain(Client client) {
        try (Client.Connected connected = client.connect(server.url());
                RedisLeaseStore store = connected.store()) {
            LeaseClaim claim = Claims.of(entity);
            assertThat(store.tryAcquire(claim, MINUTE)).isInstanceOf(Granted.class);
            server.ask("SCRIPT", "FLUSH");
            assertThat(store.renew(claim, MINUTE)).contains(MINUTE);
            server.ask("SCRIPT", "FLUSH");
            assertThat(store.release(claim)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void nothingStaysForLongAfterARelease(Client client) {
        try (Client.Connected connected = client.connect(server.url());
                RedisLeaseStore store = connected.store()) {
            for (LeaseClaim claim : List.of(Claims.of(entity, "text", "seo"), Claims.of(entity))) {
                store.tryAcquire(claim, Duration.ofHours(1));
                assertThat(ttl()).isBetween(3_600_000L, 3_660_001L);
                store.release(claim);
                assertThat(ttl()).isBetween(0L, 60_000L);
            }
        }
    }

    private long ttl() {
        return Long.parseLong(server.ask("PTTL", key()));
    }

    @ParameterizedTest
    @EnumSource
    void tokenGrowsThoughTheServerHasForgottenAll(Client client) {
        try (Client.Connected connected = client.connect(server.url());
                RedisLeaseStore store = connected.store()) {
            Granted before = (Granted) store.tryAcquire(Claims.of(entity), MINUTE);
            server.ask("FLUSHALL");
            Granted after = (Granted) store.tryAcquire(Claims.of(entity), MINUTE);
            assertThat(after.token()).isGreaterThan(before.token());
        }
    }

    @ParameterizedTest
    @EnumSource
    void tokenGrowsThoughTheClockHasGoneBack(Client client) {
        try (Client.Connected connected = client.connect(server.url());
                RedisLeaseStore store = connected.store()) {
            long ahead = 4_000_000_000_000_000L;
            server.ask("SET", key(), "-".repeat(32) + ahead, "PX", "60000");
            for (int i = 1; i < 7; i++) {
                LeaseClaim claim = i % 3 == 0 ? Claims.of(entity, "seo") : Claims.of(entity);
                Granted granted = (Granted) store.tryAcquire(claim, MINUTE);
                assertThat(granted.token()).isEqualTo(ahead + i);
                assertThat(store.release(claim)).isTrue();
            }
        }
    }

    /** The key is still there, but it holds nothing any more. */
    @ParameterizedTest
    @EnumSource
    void whatIsOverIsNobodysThoughItIsRemembered(Client client) {
        try (Client.Connected connected = client.connect(server.url());
                RedisLeaseStore store = connected.store()) {
            LeaseClaim whole = Claims.of(entity);
            LeaseClaim group = Claims.of(entity, "seo");
            for (LeaseClaim over : List.of(whole, group, whole)) {
                Granted first = (Granted) store.tryAcquire(over, Duration.ofMillis(1));
                LeaseClaim next = over == whole ? group : whole;
                Await.until(
                        "it is over",
                        () -> store.tryAcquire(next, MINUTE) instanceof Granted second
                                && second.token() > first.token());
                assertThat(store.renew(over, MINUTE)).isEmpty();
                assertThat(store.release(over)).isFalse();
                assertThat(store.release(next)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void keyOfAnotherKindIsAFailureAndNoAnswer(Client client) {
        try (Client.Connected connected = client.connect(server.url());
                RedisLeaseStore store = connected.store()) {
            for (LeaseClaim claim : List.of(Claims.of(entity, "seo"), Claims.of(entity))) {
                server.ask("SET", key(), "text");
                assertWrongKind(() -> store.tryAcquire(claim, MINUTE));
                server.ask("DEL", key());
                server.ask("SADD", key(), "text");
                assertWrongKind(() -> store.tryAcquire(claim, MINUTE));
                assertWrongKind(() -> store.renew(claim, MINUTE));
                assertWrongKind(() -> store.release(claim));
            }
        }
    }

    private static void assertWrongKind(ThrowingCallable asking) {
        assertThatThrownBy(asking).isInstanceOf(LeaseStoreException.class).hasMessageContaining("WRONGTYPE");
    }

    private String key() {
        return "cerrojo:lease:" + entity;
    }

    /** Who listens without a note is told when others wait, and of no other release. */
    @ParameterizedTest
    @EnumSource
    void releaseIsToldOnlyWhereSomebodyWaits(Client client) {
        AtomicInteger messages = new AtomicInteger();
        AtomicInteger hints = new AtomicInteger();
        try (Client.Connected connected = client.connect(server.url());
                RedisLeaseStore store = connected.store();
                Redis listening = connected.adapters().get();
                ReleaseWatch all = listening.listen(key(), messages::incrementAndGet)) {
            takeAndRelease(store, "seo");
            takeAndRelease(store);
            try (ReleaseWatch watch = store.watch(entity, MINUTE, hints::incrementAndGet)) {
                takeAndRelease(store);
                Await.until("it is told", () -> hints.get() == 1 && messages.get() == 1);
            }
        }
    }

    /** It is noted in the entity's key, which changes its type with what is held. */
    @ParameterizedTest
    @EnumSource
    void whoWaitsIsToldOfEachReleaseUntilThen(Client client) {
        AtomicInteger hints = new AtomicInteger();
        try (Client.Connected connected = client.connect(server.url());
                RedisLeaseStore store = connected.store()) {
            LeaseClaim held = Claims.of(entity);
            store.tryAcquire(held, MINUTE);
            try (ReleaseWatch watch = store.watch(entity, MINUTE, hints::incrementAndGet)) {
                assertThat(ttl()).isLessThanOrEqualTo(120_001);
                store.release(held);
                Await.until("it is told", () -> hints.get() == 1);
                takeAndRelease(store, "seo", "text");
                Await.until("it is told", () -> hints.get() == 2);
                takeAndRelease(store, "seo");
                Await.until("it is told", () -> hints.get() == 3);
                takeAndRelease(store);
                Await.until("it is told", () -> hints.get() == 4);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoHasWaitedLongEnoughIsForgotten(Client client) {
        try (Client.Connected connected = client.connect(server.url());
                RedisLeaseStore store = connected.store()) {
            LeaseClaim whole = Claims.of(entity);
            store.tryAcquire(whole, MINUTE);
            store.watch(entity, Duration.ofMillis(1), () -> {}).close();
            String noted = server.ask("GET", key());
            assertThat(noted).contains(";");
            long until = Long.parseLong(noted.substring(noted.indexOf(';') + 1));
            Await.until(
                    "the server, on this machine, has waited long enough", () -> System.currentTimeMillis() > until);
            store.release(whole);
            takeAndRelease(store);
            assertThat(server.ask("GET", key())).startsWith("-").doesNotContain(";");
        }
    }

    @ParameterizedTest
    @EnumSource
    void releaseIsToldAndAfterABrokenConnectionAgain(Client client) {
        AtomicInteger hints = new AtomicInteger();
        try (Client.Connected connected = client.connect(server.url());
                RedisLeaseStore store = connected.store();
                ReleaseWatch watch = store.watch(entity, MINUTE, hints::incrementAndGet)) {
            takeAndRelease(store);
            Await.until("the release is told", () -> hints.get() == 1);
            server.ask("CLIENT", "KILL", "TYPE", "pubsub");
            Await.until("that something may have been missed is told", () -> hints.get() == 2);
            takeAndRelease(store);
            Await.until("the release is told", () -> hints.get() == 3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachOfManyIsToldUntilItLeaves(Client client) {
        AtomicInteger first = new AtomicInteger();
        AtomicInteger second = new AtomicInteger();
        try (Client.Connected connected = client.connect(server.url());
                RedisLeaseStore store = connected.store();
                ReleaseWatch watch = store.watch(entity, MINUTE, first::incrementAndGet)) {
            try (ReleaseWatch other = store.watch(entity, MINUTE, second::incrementAndGet)) {
                takeAndRelease(store);
                Await.until("both are told", () -> first.get() == 1 && second.get() == 1);
            }
            takeAndRelease(store);
            Await.until("the first is told", () -> first.get() == 2);
            assertThat(second).hasValue(1);
        }
        Await.until("nobody listens", () -> server.ask("PUBLISH", key(), "").equals("0"));
    }

    private void takeAndRelease(RedisLeaseStore store, String... groups) {
        LeaseClaim claim = Claims.of(entity, groups);
        assertThat(store.tryAcquire(claim, MINUTE)).isInstanceOf(Granted.class);
        assertThat(store.release(claim)).isTrue();
    }

    /** Jedis would answer whoever gets the connection next with what belongs to the listener. */
    @ParameterizedTest
    @EnumSource
    void theListenersConnectionGoesBackWithoutAnAnswerOnItsWay(Client client) {
        try (Client.Connected connected = client.connect(server.url());
                RedisLeaseStore other = connected.store()) {
            for (int round = 0; round < 30; round++) {
                RedisLeaseStore store = connected.store();
                ReleaseWatch watch = store.watch(entity, MINUTE, () -> {});
                store.close();
                watch.close();
                takeAndRelease(other);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoMayNotPublishReleasesAllTheSame(Client client) {
        server.ask("ACL", "SETUSER", "mute", "on", ">secret", "~*", "+@all", "resetchannels");
        String url = server.url().replace("//", "//mute:secret@");
        try (Client.Connected connected = client.connect(url);
                RedisLeaseStore store = connected.store()) {
            takeAndRelease(store);
            takeAndRelease(store);
        }
    }

    @ParameterizedTest
    @EnumSource
    void groupsAreHeldApartAndExcludeTheWhole(Client client) {
        try (Client.Connected connected = client.connect(server.url());
                RedisLeaseStore store = connected.store()) {
            LeaseClaim text = Claims.of(entity, "text");
            LeaseClaim seo = Claims.of(entity, "seo", "w");
            assertThat(store.tryAcquire(text, MINUTE)).isInstanceOf(Granted.class);
            assertThat(store.tryAcquire(seo, MINUTE)).isInstanceOf(Granted.class);
            assertThat(store.tryAcquire(Claims.of(entity), MINUTE)).isInstanceOf(Refused.class);
            assertThat(store.release(text)).isTrue();
            assertThat(store.tryAcquire(Claims.of(entity), MINUTE)).isInstanceOf(Refused.class);
            assertThat(store.release(seo)).isTrue();
            assertThat(store.tryAcquire(Claims.of(entity), MINUTE)).isInstanceOf(Granted.class);
            assertThat(store.tryAcquire(text, MINUTE)).isInstanceOf(Refused.class);
        }
    }
}

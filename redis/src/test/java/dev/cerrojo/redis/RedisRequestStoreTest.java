package dev.cerrojo.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.idempotency.ClaimAttempt;
import dev.cerrojo.idempotency.ClaimTerms;
import dev.cerrojo.idempotency.ClaimToken;
import dev.cerrojo.idempotency.IdempotencyStoreException;
import dev.cerrojo.idempotency.RequestHash;
import dev.cerrojo.idempotency.RequestKey;
import dev.cerrojo.idempotency.StoredResponse;
import dev.cerrojo.idempotency.Takeover;
import dev.cerrojo.testsupport.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is Redis's own, beside what each store does. */
class RedisRequestStoreTest {
    private static final String INDEX = "{cerrojo:request}:pending";
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final RequestHash REQUEST = RequestHash.ofText("three apples");

    private static RedisServer server;

    private final RequestKey key =
            RequestKey.of("pay", "a/b", ClaimToken.random().hex());
    private final String entry = "{cerrojo:request}:entry:pay/a%2Fb/" + key.key();
    private final ClaimToken ana = ClaimToken.random();

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private ClaimAttempt<StoredResponse> claim(RedisRequestStore store, Takeover takeover) {
        return store.claim(key, REQUEST, ana, new ClaimTerms(MINUTE, HOUR, takeover));
    }

    private long ttl() {
        return Long.parseLong(server.ask("PTTL", entry));
    }

    @ParameterizedTest
    @EnumSource
    void anEntryStaysForItsRetentionAndIsNoLongerPending(Client client) {
        try (Client.Connected connected = client.connect(server.url());
                RedisRequestStore store = connected.requests()) {
            claim(store, Takeover.RUN_AGAIN);
            assertThat(ttl()).isBetween(3_600_000L, 3_660_000L);
            assertThat(store.renew(key, ana, HOUR)).isTrue();
            assertThat(ttl()).isBetween(7_100_000L, 7_200_000L);
            assertThat(server.ask("ZCARD", INDEX)).isEqualTo("1");
            assertThat(store.complete(key, ana, StoredResponse.json(200, "{}"), HOUR))
                    .isTrue();
            assertThat(ttl()).isBetween(3_500_000L, 3_600_000L);
            assertThat(server.ask("ZCARD", INDEX)).isEqualTo("0");
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsLeftToAPersonHasNoEndUntilItIsSettled(Client client) {
        try (Client.Connected connected = client.connect(server.url());
                RedisRequestStore store = connected.requests()) {
            claim(store, Takeover.ASK);
            assertThat(store.renew(key, ana, HOUR)).isTrue();
            assertThat(ttl()).isEqualTo(-1);
            assertThat(store.complete(key, ana, StoredResponse.json(200, "{}"), HOUR))
                    .isTrue();
            assertThat(ttl()).isBetween(3_500_000L, 3_600_000L);
        }
    }

    @ParameterizedTest
    @EnumSource
    void namesOfEntriesThatRedisHasForgottenArePurged(Client client) {
        try (Client.Connected connected = client.connect(server.url());
                RedisRequestStore store = connected.requests()) {
            claim(store, Takeover.RUN_AGAIN);
            assertThat(store.abandon(key, ana)).isTrue();
            assertThat(store.purge(1000)).isZero();
            assertThat(store.stuck(1000)).hasSize(1);
            server.ask("DEL", entry);
            assertThat(store.purge(1000)).isOne();
            assertThat(store.stuck(1000)).isEmpty();
            assertThat(server.ask("ZCARD", INDEX)).isEqualTo("0");
        }
    }

    @ParameterizedTest
    @EnumSource
    void bytesComeBackAsTheyWere(Client client) {
        long seed = System.nanoTime();
        byte[] body = new byte[100_001];
        new Random(seed).nextBytes(body);
        StoredResponse response = new StoredResponse(200, StoredResponse.json(200, "").headers(), body);
        try (Client.Connected connected = client.connect(server.url());
                RedisRequestStore store = connected.requests()) {
            claim(store, Takeover.RUN_AGAIN);
            store.complete(key, ana, response, MINUTE);
            assertThat(claim(store, Takeover.RUN_AGAIN))
                    .as("seed %d", seed)
                    .isEqualTo(new ClaimAttempt.Completed<>(response));
        }
    }

    @ParameterizedTest
    @EnumSource
    void ownKeyOfAnotherKindIsAFailureAndNoAnswer(Client client) {
        try (Client.Connected connected = client.connect(server.url());
                RedisRequestStore store = connected.requests()) {
            server.ask("SET", entry, "text");
            assertThatThrownBy(() -> claim(store, Takeover.RUN_AGAIN))
                    .isInstanceOf(IdempotencyStoreException.class)
                    .hasMessageContaining("WRONGTYPE")
                    .hasMessageContaining(key.key());
        }
    }

    @Test
    void aPrefixNeedsAHashTag() {
        assertThatThrownBy(() -> RedisRequestStore.over((script, keys, arguments) -> List.of(), "shop:"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hash tag")
                .hasMessageContaining("shop:");
    }
}

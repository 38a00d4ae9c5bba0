package dev.cerrojo.testsupport.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.testsupport.process.Await;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

class ServersTest {
    @Test
    void redisForgetsItsKeysWhenItIsStartedAgain() {
        try (RedisServer server = RedisServer.start()) {
            assertThat(server.ask("SET", "key", "value")).isEqualTo("OK");
            server.restart();
            assertThat(server.ask("EXISTS", "key")).isEqualTo("0");
        }
    }

    @Test
    void redisKeepsItsKeysWhenItsSettingsSaySo() {
        try (RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always")) {
            server.ask("SET", "key", "value");
            server.restart();
            assertThat(server.ask("GET", "key")).isEqualTo("value");
        }
    }

    @Test
    void pausedRedisAnswersWhenItGoesOn() {
        try (RedisServer server = RedisServer.startOldest()) {
            assertThat(server.ask("INFO", "server")).contains("redis_version:6.2");
            server.pause();
            CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> server.ask("PING"));
            assertThatThrownBy(() -> answer.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            server.resume();
            assertThat(answer.join()).isEqualTo("PONG");
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "cerrojo.leases", matches = "all")
    void replicaTakesThePlaceOfAKilledMasterOfTheCluster() {
        try (RedisCluster cluster = RedisCluster.start()) {
            RedisServer master = cluster.masterOf("key");
            assertThat(master.ask("SET", "key", "value")).isEqualTo("OK");
            master.kill();
            cluster.awaitFailover(master);
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "cerrojo.leases", matches = "all")
    void etcdElectsAnotherLeader() {
        try (EtcdCluster cluster = EtcdCluster.start(3)) {
            int leader = cluster.leader();
            cluster.kill(leader);
            Await.until("another leader", () -> cluster.leader() != leader);
            cluster.restart(leader);
        }
    }
}

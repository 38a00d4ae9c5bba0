package dev.cerrojo.leasefaults.guide;

import dev.cerrojo.lease.Fences;
import dev.cerrojo.lease.LeaseSettings;
import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.lease.Leases;
import dev.cerrojo.redis.JedisRedis;
import dev.cerrojo.redis.LettuceRedis;
import dev.cerrojo.redis.RedisLeaseStore;
import java.time.Duration;
import javax.sql.DataSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;

/** Leases on Redis, with either client. */
final class OnRedis {
    private OnRedis() {}

    static Leases byJedis(String host, int port, LeaseSettings settings, DataSource dataSource) {
        UnifiedJedis jedis = RedisClient.builder() // or RedisClusterClient
                .hostAndPort(host, port)
                .clientConfig(DefaultJedisClientConfig.builder()
                        .socketTimeoutMillis(1_000)
                        .build())
                .build();
        LeaseStore store = RedisLeaseStore.over(JedisRedis.over(jedis));
        return Leases.over(store, settings, Fences.over(dataSource));
    }

    static Leases byLettuce(io.lettuce.core.RedisClient client, LeaseSettings settings, DataSource dataSource) {
        LeaseStore store = RedisLeaseStore.over(LettuceRedis.over(client, Duration.ofSeconds(1)));
        return Leases.over(store, settings, Fences.over(dataSource));
    }
}

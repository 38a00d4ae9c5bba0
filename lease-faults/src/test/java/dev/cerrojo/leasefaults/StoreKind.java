package dev.cerrojo.leasefaults;

import dev.cerrojo.etcd.EtcdLeaseStore;
import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.redis.JedisRedis;
import dev.cerrojo.redis.LettuceRedis;
import dev.cerrojo.redis.RedisLeaseStore;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.UnifiedJedis;

/** Where leases are, and how a process gets at them. An answer is waited for no longer than half a lease. */
public enum StoreKind {
    POSTGRES("PostgreSQL") {
        @Override
        public LeaseStore open(String address, DataSource dataSource) {
            return LeaseStore.inPostgres(dataSource);
        }
    },
    REDIS("Redis, Lettuce") {
        @Override
        public LeaseStore open(String address, DataSource dataSource) {
            return RedisLeaseStore.over(
                    LettuceRedis.over(io.lettuce.core.RedisClient.create(address), Duration.ofMillis(PATIENCE_MILLIS)));
        }
    },
    REDIS_BY_JEDIS("Redis, Jedis") {
        @Override
        public LeaseStore open(String address, DataSource dataSource) {
            UnifiedJedis jedis = RedisClient.builder()
                    .hostAndPort(HostAndPort.from(address.substring("redis://".length())))
                    .clientConfig(DefaultJedisClientConfig.builder()
                            .socketTimeoutMillis(PATIENCE_MILLIS)
                            .connectionTimeoutMillis(PATIENCE_MILLIS)
                            .build())
                    .build();
            return RedisLeaseStore.over(JedisRedis.over(jedis));
        }
    },
    REDIS_CLUSTER("Redis Cluster, Jedis") {
        @Override
        public LeaseStore open(String address, DataSource dataSource) {
            Set<HostAndPort> nodes =
                    Stream.of(address.split(",")).map(HostAndPort::from).collect(Collectors.toSet());
            return RedisLeaseStore.over(JedisRedis.over(RedisClusterClient.create(nodes)));
        }
    },
    ETCD("etcd") {
        @Override
        public LeaseStore open(String address, DataSource dataSource) {
            return EtcdLeaseStore.over(
                    Stream.of(address.split(",")).map(URI::create).toList());
        }

        /** It looks for what is over twice a second. */
        @Override
        Duration slack() {
            return Duration.ofMillis(500);
        }
    };

    private static final int PATIENCE_MILLIS = 500;

    private final String words;

    StoreKind(String words) {
        this.words = words;
    }

    public abstract LeaseStore open(String address, DataSource dataSource);

    /** {@return how much later than it is over it lets a lease go} */
    Duration slack() {
        return Duration.ZERO;
    }

    /** {@return the store and its client, in the words of the guide} */
    @Override
    public String toString() {
        return words;
    }
}

package dev.cerrojo.leasefaults;

import dev.cerrojo.etcd.EtcdLeaseStore;
import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.redis.JedisRedis;
import dev.cerrojo.redis.LettuceRedis;
import dev.cerrojo.redis.RedisLeaseStore;
import io.lettuce.core.RedisClient;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClusterClient;

/** Where leases are, and how a process gets at them. An answer is waited for no longer than half a lease. */
public enum StoreKind {
    POSTGRES {
        @Override
        public LeaseStore open(String address, DataSource dataSource) {
            return LeaseStore.inPostgres(dataSource);
        }
    },
    REDIS {
        @Override
        public LeaseStore open(String address, DataSource dataSource) {
            return RedisLeaseStore.over(LettuceRedis.over(RedisClient.create(address), Duration.ofMillis(500)));
        }
    },
    REDIS_CLUSTER {
        @Override
        public LeaseStore open(String address, DataSource dataSource) {
            Set<HostAndPort> nodes =
                    Stream.of(address.split(",")).map(HostAndPort::from).collect(Collectors.toSet());
            return RedisLeaseStore.over(JedisRedis.over(RedisClusterClient.create(nodes)));
        }
    },
    ETCD {
        @Override
        public LeaseStore open(String address, DataSource dataSource) {
            return EtcdLeaseStore.over(
                    Stream.of(address.split(",")).map(URI::create).toList());
        }
    };

    public abstract LeaseStore open(String address, DataSource dataSource);
}

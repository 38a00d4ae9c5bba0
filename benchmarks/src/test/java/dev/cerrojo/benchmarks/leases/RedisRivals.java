package dev.cerrojo.benchmarks.leases;

import dev.cerrojo.redis.JedisRedis;
import dev.cerrojo.redis.LettuceRedis;
import dev.cerrojo.redis.RedisLeaseStore;
import dev.cerrojo.testsupport.server.RedisServer;
import io.lettuce.core.RedisClient;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import redis.clients.jedis.ConnectionPoolConfig;

/** Those that keep locks in Redis, each with its library's ordinary settings. */
final class RedisRivals {
    private RedisRivals() {}

    static List<Rival> on(RedisServer server, int clients, DataSource fences) {
        List<Rival> rivals = new ArrayList<>();
        rivals.add(Ours.in("Cerrojo, Lettuce", lettuce(server)));
        rivals.add(Ours.in("Cerrojo, Jedis", jedis(server, clients)));
        rivals.add(Ours.fenced("Cerrojo, Lettuce, fenced", lettuce(server), fences));
        rivals.add(redisson(server));
        LettuceConnectionFactory spring = spring(server);
        rivals.add(new ShedLocks("ShedLock, Spring Data", new RedisLockProvider.Builder(spring).build()));
        RedisLockRegistry registry = new RedisLockRegistry(spring, "benchmark", Rival.LEASE.toMillis());
        registry.setRedisLockType(RedisLockRegistry.RedisLockType.PUB_SUB_LOCK);
        rivals.add(new Registry("Spring Integration, Redis", registry::obtain, registry::destroy));
        return rivals;
    }

    private static RedisLeaseStore lettuce(RedisServer server) {
        return RedisLeaseStore.over(LettuceRedis.over(RedisClient.create(server.url())));
    }

    private static RedisLeaseStore jedis(RedisServer server, int clients) {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(clients + 2);
        pool.setMaxIdle(clients + 2);
        return RedisLeaseStore.over(JedisRedis.over(redis.clients.jedis.RedisClient.builder()
                .hostAndPort("127.0.0.1", server.port())
                .poolConfig(pool)
                .build()));
    }

    private static Rival redisson(RedisServer server) {
        Config config = new Config();
        config.useSingleServer().setAddress(server.url());
        RedissonClient client = Redisson.create(config);
        return new Registry("Redisson", client::getLock, client::shutdown);
    }

    private static LettuceConnectionFactory spring(RedisServer server) {
        LettuceConnectionFactory factory =
                new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", server.port()));
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }
}

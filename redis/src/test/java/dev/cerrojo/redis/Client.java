package dev.cerrojo.redis;

import dev.cerrojo.testsupport.server.RedisCluster;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;

/** Both clients, each as its users make it. */
enum Client {
    JEDIS {
        @Override
        Connected connect(String url) {
            return jedis(redis.clients.jedis.RedisClient.create(url));
        }

        @Override
        Connected connect(RedisCluster cluster) {
            Set<HostAndPort> nodes = cluster.ports().stream()
                    .map(port -> new HostAndPort("127.0.0.1", port))
                    .collect(Collectors.toSet());
            return jedis(redis.clients.jedis.RedisClusterClient.create(nodes));
        }

        private Connected jedis(UnifiedJedis client) {
            return new Connected(() -> JedisRedis.over(client), client::close);
        }
    },
    LETTUCE {
        @Override
        Connected connect(String url) {
            RedisClient client = RedisClient.create(url);
            return new Connected(() -> LettuceRedis.over(client), () -> shutdown(client));
        }

        @Override
        Connected connect(RedisCluster cluster) {
            List<RedisURI> nodes = cluster.ports().stream()
                    .map(port -> RedisURI.create("127.0.0.1", port))
                    .toList();
            RedisClusterClient client = RedisClusterClient.create(nodes);
            return new Connected(() -> LettuceRedis.over(client), () -> shutdown(client));
        }

        private void shutdown(AbstractRedisClient client) {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
        }
    };

    abstract Connected connect(String url);

    abstract Connected connect(RedisCluster cluster);

    /** A client, of which each store has an adapter of its own. */
    record Connected(Supplier<Redis> adapters, Runnable end) implements AutoCloseable {
        RedisLeaseStore store() {
            return RedisLeaseStore.over(adapters.get());
        }

        RedisRequestStore requests() {
            return RedisRequestStore.over(adapters.get());
        }

        /** Ends the client; the stores are closed by who opened them. */
        @Override
        public void close() {
            end.run();
        }
    }
}

package dev.cerrojo.backoffice.startup;

import dev.cerrojo.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.Map;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import redis.embedded.RedisServer;

/** Starts the servers for which no address is configured. They go away with the service. */
public final class EmbeddedServers implements ApplicationContextInitializer<ConfigurableApplicationContext> {
    private static final String DATABASE = "spring.datasource.url";
    private static final String REDIS = "backoffice.redis-url";

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        ConfigurableEnvironment environment = context.getEnvironment();
        Map<String, Object> addresses = new HashMap<>();
        if (!environment.containsProperty(DATABASE)) {
            addresses.put(DATABASE, EmbeddedPostgres.start().jdbcUrl());
        }
        if (!environment.containsProperty(REDIS)) {
            addresses.put(REDIS, "redis://127.0.0.1:" + redis());
        }
        environment.getPropertySources().addLast(new MapPropertySource("embedded servers", addresses));
    }

    private static int redis() {
        try {
            int port = freePort();
            RedisServer server = RedisServer.newRedisServer()
                    .port(port)
                    .bind("127.0.0.1")
                    .setting("save \"\"")
                    .build();
            server.start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "stop-redis"));
            return port;
        } catch (IOException failure) {
            throw new UncheckedIOException(
                    "Redis could not be started: set " + REDIS + " to the address of one that runs", failure);
        }
    }

    private static void stop(RedisServer server) {
        try {
            server.stop();
        } catch (IOException gone) {
            System.getLogger(EmbeddedServers.class.getName())
                    .log(System.Logger.Level.WARNING, "Redis could not be stopped", gone);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}

package dev.cerrojo.leasefaults.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.lease.Lease;
import dev.cerrojo.lease.LeaseScope;
import dev.cerrojo.lease.LeaseSettings;
import dev.cerrojo.lease.Leases;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.schema.SchemaMode;
import dev.cerrojo.testsupport.GuideSnippet;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.testsupport.server.RedisServer;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** The Java of the guide is that of compiled sources, and Redis's is run. */
class GuideTest {
    private static final Path SOURCES = Path.of("src", "test", "java", "dev", "cerrojo", "leasefaults", "guide");
    private static final LeaseScope SCOPE = LeaseScope.of("orders/42");

    @Test
    void everySnippetIsInTheSourceThatItNames() throws IOException {
        assertThat(GuideSnippet.of("leases-on-redis-and-etcd.md"))
                .hasSize(3)
                .allSatisfy(snippet -> assertThat(snippet.isIn(SOURCES)).isTrue());
    }

    @Test
    void bothClientsOfRedisMeetInOneStore() throws SQLException {
        LeaseSettings settings = LeaseSettings.builder().build();
        try (TestDatabase database = TestDatabase.create();
                RedisServer server = RedisServer.start();
                RedisClient client = RedisClient.create(server.url())) {
            Schema.over(database.dataSource()).ready(SchemaMode.CREATE);
            try (Leases one = OnRedis.byJedis("127.0.0.1", server.port(), settings, database.dataSource());
                    Leases other = OnRedis.byLettuce(client, settings, database.dataSource());
                    Lease held = one.acquire(SCOPE)) {
                assertThat(held.isHeld()).isTrue();
                assertThat(other.tryAcquire(SCOPE)).isEmpty();
            }
        }
    }
}

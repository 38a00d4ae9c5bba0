package dev.cerrojo.spring.boot;

import dev.cerrojo.StaleVersionException;
import dev.cerrojo.idempotency.Reply;
import dev.cerrojo.idempotency.RequestKey;
import dev.cerrojo.idempotency.StoredResponse;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule.Rows;
import dev.cerrojo.optimistic.OptimisticTable;
import dev.cerrojo.spring.Guarded;
import dev.cerrojo.spring.Idempotent;
import dev.cerrojo.spring.boot.web.CallerIdentity;
import dev.cerrojo.spring.boot.web.ExpectedVersion;
import dev.cerrojo.spring.boot.web.Replies;
import dev.cerrojo.tx.Transactions;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A shop with orders that are placed once, articles with versions, and a rule. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({ShopApplication.Controller.class, ShopApplication.Shop.class})
class ShopApplication {
    static final String TABLES = """
            CREATE TABLE placed (id bigint GENERATED ALWAYS AS IDENTITY, article text);
            CREATE TABLE article (id int PRIMARY KEY, title text, version bigint NOT NULL DEFAULT 0);
            CREATE TABLE manager (name text PRIMARY KEY, active boolean NOT NULL);
            INSERT INTO article (id, title) VALUES (1, 'one');
            INSERT INTO manager VALUES ('A', true)""";

    @Bean
    Invariant oneManager() {
        return Invariant.named("one_manager")
                .says("one manager is always active")
                .atLeast(1, Rows.of("manager").where("active"));
    }

    /** Who the test says it is. */
    @Bean
    CallerIdentity caller() {
        return request -> Optional.ofNullable(request.getHeader("X-Caller"));
    }

    @RestController
    static class Controller {
        private final Shop shop;

        Controller(Shop shop) {
            this.shop = shop;
        }

        @PostMapping("/orders")
        ResponseEntity<byte[]> place(RequestKey key, @RequestBody byte[] article) {
            return Replies.entity(shop.place(key, article));
        }

        @PutMapping("/articles/{id}")
        ResponseEntity<Void> save(@PathVariable int id, ExpectedVersion expected, @RequestBody String title) {
            return ResponseEntity.noContent()
                    .eTag(ExpectedVersion.tag(shop.save(id, expected.version(), title)))
                    .build();
        }

        @PostMapping("/managers/{name}/deactivation")
        void deactivate(@PathVariable String name) {
            shop.deactivate(name);
        }
    }

    static class Shop {
        private static final OptimisticTable ARTICLES = OptimisticTable.of("article", "id", "version");

        private final JdbcTemplate jdbc;
        private final Transactions transactions;
        volatile CountDownLatch held = new CountDownLatch(0);
        volatile CountDownLatch placing = new CountDownLatch(0);

        Shop(JdbcTemplate jdbc, Transactions transactions) {
            this.jdbc = jdbc;
            this.transactions = transactions;
        }

        @Idempotent(key = "#key", payload = "#article")
        Reply place(RequestKey key, byte[] article) {
            long id = jdbc.queryForObject(
                    "INSERT INTO placed (article) VALUES (?) RETURNING id",
                    Long.class,
                    new String(article, StandardCharsets.UTF_8));
            placing.countDown();
            try {
                held.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return new Reply(StoredResponse.json(201, "{\"order\": " + id + "}"), false);
        }

        long save(int id, long version, String title) throws StaleVersionException {
            return transactions.<Long, RuntimeException>call(
                    tx -> ARTICLES.update(tx, id, version, Map.of("title", title)));
        }

        @Guarded(invariant = "one_manager")
        void deactivate(String name) {
            jdbc.update("UPDATE manager SET active = false WHERE name = ?", name);
        }
    }
}

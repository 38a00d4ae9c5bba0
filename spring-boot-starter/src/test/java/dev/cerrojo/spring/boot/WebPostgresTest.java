package dev.cerrojo.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.lease.LeaseScope;
import dev.cerrojo.lease.Leases;
import dev.cerrojo.spring.boot.actuate.CerrojoEndpoint;
import dev.cerrojo.testsupport.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.util.AopTestUtils;

/** Over HTTP, in one application: keys, versions, problems, meters, health and the endpoint. */
class WebPostgresTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static TestDatabase database;
    private static ConfigurableApplicationContext context;

    @BeforeAll
    static void start() {
        database = TestDatabase.create();
        context = new SpringApplicationBuilder(ShopApplication.class)
                .properties(
                        "spring.datasource.url=" + database.jdbcUrl(),
                        "server.port=0",
                        "cerrojo.schema.mode=create",
                        "cerrojo.idempotency.wait-up-to=100ms",
                        "management.endpoints.web.exposure.include=cerrojo,health",
                        "management.endpoint.health.show-details=always",
                        "spring.main.banner-mode=off",
                        "logging.level.root=warn")
                .run();
        context.getBean(JdbcTemplate.class).execute(ShopApplication.TABLES);
    }

    @AfterAll
    static void stop() {
        context.close();
        database.close();
    }

    private static HttpResponse<String> send(String method, String path, String body, String... headers)
            throws Exception {
        int port = ((WebServerApplicationContext) context).getWebServer().getPort();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> place(String key, String article) throws Exception {
        return send("POST", "/orders", article, "X-Caller", "me", "Idempotency-Key", key);
    }

    private static void assertProblem(HttpResponse<String> answer, int status, String type) {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(answer.body()).contains("\"type\":\"urn:cerrojo:problem:" + type + "\"");
    }

    @Test
    void sameKeyTakesEffectOnceAndIsMarkedAsReplayed() throws Exception {
        HttpResponse<String> first = place("\"k-1\"", "pen");
        HttpResponse<String> again = place("k-1", "pen");
        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(first.headers().firstValue("Idempotency-Replayed")).isEmpty();
        assertThat(again.statusCode()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.headers().firstValue("Content-Type"))
                .isEqualTo(first.headers().firstValue("Content-Type"));
        assertThat(again.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        HttpResponse<String> another = send("POST", "/orders", "pen", "X-Caller", "you", "Idempotency-Key", "k-1");
        assertThat(another.body()).isNotEqualTo(first.body());
    }

    @Test
    void keyIsRequiredAndRead() throws Exception {
        assertProblem(send("POST", "/orders", "pen", "X-Caller", "me"), 400, "idempotency-key-missing");
        assertProblem(place("\"open", "pen"), 400, "idempotency-key-invalid");
        assertProblem(send("POST", "/orders", "pen", "Idempotency-Key", "k"), 401, "caller-unknown");
    }

    @Test
    void otherPayloadIsRefused() throws Exception {
        place("k-2", "pen");
        assertProblem(place("k-2", "book"), 422, "idempotency-key-reused");
    }

    @Test
    void requestInProgressIsToldWhenToComeBack() throws Exception {
        ShopApplication.Shop shop = AopTestUtils.getTargetObject(context.getBean(ShopApplication.Shop.class));
        shop.held = new CountDownLatch(1);
        shop.placing = new CountDownLatch(1);
        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> {
            try {
                return place("k-3", "pen").statusCode();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        try {
            assertThat(shop.placing.await(30, TimeUnit.SECONDS)).isTrue();
            HttpResponse<String> second = place("k-3", "pen");
            assertProblem(second, 409, "request-in-progress");
            assertThat(Integer.parseInt(
                            second.headers().firstValue("Retry-After").orElseThrow()))
                    .isPositive();
        } finally {
            shop.held.countDown();
        }
        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo(201);
    }

    @Test
    void versionIsRequiredAndCompared() throws Exception {
        assertProblem(send("PUT", "/articles/1", "new"), 428, "precondition-required");
        assertProblem(send("PUT", "/articles/1", "new", "If-Match", "W/\"0\""), 412, "precondition-failed");
        HttpResponse<String> saved = send("PUT", "/articles/1", "new", "If-Match", "\"0\"");
        assertThat(saved.statusCode()).isEqualTo(204);
        assertThat(saved.headers().firstValue("ETag")).hasValue("\"1\"");
        assertProblem(send("PUT", "/articles/1", "newer", "If-Match", "\"0\""), 412, "precondition-failed");
        assertProblem(send("PUT", "/articles/7", "new", "If-Match", "\"0\""), 404, "gone");
    }

    @Test
    void violationIsAProblemOfItsInvariantAndCounted() throws Exception {
        HttpResponse<String> refused = send("POST", "/managers/A/deactivation", "");
        assertProblem(refused, 400, "invariant-violated:one_manager");
        assertThat(refused.body()).contains("one manager is always active");
    }

    @Test
    void endpointAndHealthShowTheState() throws Exception {
        try (var lease = context.getBean(Leases.class).acquire(LeaseScope.of("article/1", "seo"))) {
            HttpResponse<String> state = send("GET", "/actuator/cerrojo", "");
            assertThat(state.statusCode()).isEqualTo(200);
            assertThat(state.body())
                    .contains("\"article/1\"", "\"seo\"", "\"token\":" + lease.token(), "\"stuckClaims\":[]")
                    .contains("\"one_manager\":[{\"scope\":\"global\",\"value\":1");
        }
        assertThat(context.getBean(CerrojoEndpoint.class).state().leases()).isEmpty();
        assertThat(send("GET", "/actuator/health", "").body()).contains("\"cerrojo\":{", "\"status\":\"UP\"");
    }

    @Test
    void metersAreThereBeforeTheFirstCall() {
        MeterRegistry registry = context.getBean(MeterRegistry.class);
        assertThat(registry.find("cerrojo.calls")
                        .tag("method", "Shop.deactivate")
                        .tag("outcome", "unknown")
                        .timer())
                .isNotNull();
        assertThat(registry.find("cerrojo.retries").tag("method", "Shop.place").counter())
                .isNotNull();
    }
}

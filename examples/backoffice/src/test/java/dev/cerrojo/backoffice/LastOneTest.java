package dev.cerrojo.backoffice;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two replicas are asked at once to take away the last two of a kind. */
class LastOneTest {
    private static final int REPETITIONS = 200;
    private static Service service;

    @BeforeAll
    static void start() {
        service = Service.start(Map.of());
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    /** An organization with two managers. */
    record Two(UUID organization, UUID ana, UUID ben) {
        static Two in(Service service) {
            String name = "Organization " + UUID.randomUUID();
            Answer made = service.operator()
                    .post(service.first, "/platform/organizations", Map.of("name", name, "managerEmail", email()));
            assertThat(made.status()).as(made + service.first.output()).isEqualTo(201);
            UUID organization = id(made.body().at("/organization/id").asString());
            Answer other = service.operator()
                    .post(
                            service.first,
                            "/platform/organizations/" + organization + "/users",
                            Map.of("email", email(), "role", "manager"));
            return new Two(
                    organization,
                    id(made.body().at("/manager/user/id").asString()),
                    id(other.body().at("/user/id").asString()));
        }

        private static String email() {
            return UUID.randomUUID() + "@clinic.example";
        }

        private static UUID id(String text) {
            return UUID.fromString(text);
        }

        List<Answer> leaveAtOnce(Service service) throws SQLException {
            Function<UUID, String> path =
                    user -> "/platform/organizations/%s/users/%s/deactivate".formatted(organization, user);
            return service.atOnce(
                    "SELECT FROM tenant_user WHERE organization_id = '%s' FOR UPDATE".formatted(organization),
                    post(service, service.first, path.apply(ana)),
                    post(service, service.second, path.apply(ben)));
        }

        long managers(Service service) {
            return service.number(
                    "SELECT count(*) FROM tenant_user WHERE organization_id = ? AND active AND role = 'manager'",
                    organization);
        }
    }

    static Supplier<CompletableFuture<Answer>> post(Service service, Replica replica, String path) {
        return () -> service.operator().call(replica, "POST", path, Map.of(), "");
    }

    @Test
    void anOrganizationKeepsOneManager() throws SQLException {
        for (int i = 0; i < REPETITIONS; i++) {
            Two two = Two.in(service);
            assertOneOfEach(two.leaveAtOnce(service), "/problems/last-tenant-manager");
            assertThat(two.managers(service)).isOne();
        }
    }

    @Test
    void thePlatformKeepsOneAdministrator() throws SQLException {
        service.execute("UPDATE platform_user SET role = 'administrator' WHERE email LIKE 'support@%'");
        for (int i = 0; i < REPETITIONS; i++) {
            service.execute("UPDATE platform_user SET active = true");
            assertOneOfEach(administratorsLeaveAtOnce(service), "/problems/last-platform-administrator");
            assertThat(administrators(service)).isOne();
        }
    }

    static List<Answer> administratorsLeaveAtOnce(Service service) throws SQLException {
        List<String> paths = service.operator()
                .get(service.first, "/platform/users")
                .body()
                .valueStream()
                .filter(user -> user.path("role").asString().equals("administrator"))
                .map(user -> "/platform/users/" + user.path("id").asString() + "/deactivate")
                .toList();
        assertThat(paths).hasSize(2);
        return service.atOnce(
                "SELECT FROM platform_user FOR UPDATE",
                post(service, service.first, paths.get(0)),
                post(service, service.second, paths.get(1)));
    }

    static long administrators(Service service) {
        return service.number("SELECT count(*) FROM platform_user WHERE active AND role = 'administrator'");
    }

    private static void assertOneOfEach(List<Answer> answers, String problem) {
        assertThat(answers).extracting(Answer::status).containsExactlyInAnyOrder(200, 400);
        assertThat(answers).extracting(Answer::problem).containsExactlyInAnyOrder("", problem);
    }

    @Test
    void theSecondInTurnGetsTheSameAnswerAsTheSecondAtOnce() throws SQLException {
        Two two = Two.in(service);
        Answer atOnce = two.leaveAtOnce(service).stream()
                .filter(answer -> answer.status() == 400)
                .findFirst()
                .orElseThrow();
        Two others = Two.in(service);
        post(
                        service,
                        service.first,
                        "/platform/organizations/%s/users/%s/deactivate".formatted(others.organization, others.ana))
                .get()
                .join();
        Answer inTurn = post(
                        service,
                        service.second,
                        "/platform/organizations/%s/users/%s/deactivate".formatted(others.organization, others.ben))
                .get()
                .join();
        assertThat(inTurn.status()).isEqualTo(atOnce.status());
        assertThat(inTurn.body().path("type")).isEqualTo(atOnce.body().path("type"));
        assertThat(inTurn.body().path("title")).isEqualTo(atOnce.body().path("title"));
        assertThat(inTurn.body().path("detail")).isEqualTo(atOnce.body().path("detail"));
    }
}

package dev.cerrojo.backoffice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Asks each route that the service has as each kind of user: a new one that is missing here makes the test fail. */
class RoutesTest {
    /** Who is let in: a administrator, o operator, s support, m manager of the organization, u its other user, x another's manager. */
    private static final String EXPECTED = """
            DELETE /organizations/{organization}/shifts/{shift}/doctors/{doctor}: m
            DELETE /platform/organizations/{organization}/shifts/{shift}/doctors/{doctor}: ao
            GET /organizations/{organization}/shifts/{shift}/doctors: mu
            GET /organizations/{organization}/shifts: mu
            GET /organizations/{organization}/users: mu
            GET /platform/organizations/{organization}/shifts/{shift}/doctors: aos
            GET /platform/organizations/{organization}/shifts: aos
            GET /platform/organizations/{organization}/users: aos
            GET /platform/organizations: aos
            GET /platform/users: aos
            GET /state/data: ao
            GET /state: ao
            GET /swagger-ui.html: aosmux
            GET /v3/api-docs.yaml: aosmux
            GET /v3/api-docs/swagger-config: aosmux
            GET /v3/api-docs: aosmux
            POST /organizations/{organization}/shifts/{shift}/doctors: m
            POST /organizations/{organization}/shifts: m
            POST /organizations/{organization}/users/{user}/deactivate: m
            POST /organizations/{organization}/users/{user}/role: m
            POST /organizations/{organization}/users: m
            POST /platform/organizations/{organization}/shifts/{shift}/doctors: ao
            POST /platform/organizations/{organization}/shifts: ao
            POST /platform/organizations/{organization}/users/{user}/deactivate: ao
            POST /platform/organizations/{organization}/users/{user}/role: ao
            POST /platform/organizations/{organization}/users: ao
            POST /platform/organizations: ao
            POST /platform/users/{user}/deactivate: ao
            POST /platform/users/{user}/role: ao
            POST /platform/users: a
            """;

    private static final Set<String> OPEN = Set.of("GET /error", "GET /problems/{name}");

    private static Service service;
    private static String organization;
    private static Map<Character, Caller> callers;

    @BeforeAll
    static void start() {
        service = Service.startOne();
        Caller operator = service.operator();
        Answer other = operator.post(
                service.first,
                "/platform/organizations",
                Map.of("name", "Other clinic", "managerEmail", "manager@other.example"));
        organization = operator.get(service.first, "/platform/organizations")
                .body()
                .valueStream()
                .filter(each -> each.path("name").asString().equals("Demo clinic"))
                .map(each -> each.path("id").asString())
                .findFirst()
                .orElseThrow();
        callers = Map.of(
                'a', service.caller("administrator@backoffice.example"),
                'o', operator,
                's', service.caller("support@backoffice.example"),
                'm', service.caller("manager@clinic.example"),
                'u', service.caller("member@clinic.example"),
                'x',
                        new Caller(
                                "manager@other.example",
                                other.body().at("/manager/password").asString()));
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void nobodyIsLetInByMistake() {
        try (ConfigurableApplicationContext context = context()) {
            List<String> found = routes(context)
                    .map(route -> route + ": " + letIn(route))
                    .sorted()
                    .toList();
            assertThat(String.join("\n", found) + '\n').isEqualTo(EXPECTED);
        }
    }

    /** A second one in this JVM, only to be asked for its routes. */
    private static ConfigurableApplicationContext context() {
        return new SpringApplication(BackofficeApplication.class)
                .run(
                        "--server.port=0",
                        "--spring.datasource.url=" + service.database.jdbcUrl(),
                        "--backoffice.redis-url=none");
    }

    private static Stream<String> routes(ConfigurableApplicationContext context) {
        return context
                .getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .keySet()
                .stream()
                .flatMap(RoutesTest::routes)
                .filter(route -> !OPEN.contains(route));
    }

    private static Stream<String> routes(RequestMappingInfo info) {
        Set<RequestMethod> methods = info.getMethodsCondition().getMethods();
        return info.getPatternValues().stream()
                .flatMap(path -> (methods.isEmpty() ? Set.of(RequestMethod.GET) : methods)
                        .stream().map(method -> method + " " + path));
    }

    private static String letIn(String route) {
        String[] words = route.split(" ", 2);
        String path = words[1].replace("{organization}", organization)
                .replace("{user}", UUID.randomUUID().toString())
                .replace("{shift}", "0")
                .replace("{doctor}", "nobody");
        String body = words[0].equals("POST") ? "{}" : "";
        assertThat(status(new Caller("", ""), words[0], path, body)).as(route).isEqualTo(401);
        return Stream.of('a', 'o', 's', 'm', 'u', 'x')
                .filter(kind -> status(callers.get(kind), words[0], path, body) != 403)
                .map(String::valueOf)
                .collect(Collectors.joining());
    }

    private static int status(Caller caller, String method, String path, String body) {
        return caller.call(service.first, method, path, Map.of(), body).join().status();
    }

    @Test
    void typesOfProblemsAreForEverybody() {
        Answer type = new Caller("", "").get(service.first, "/problems/last-tenant-manager");
        assertThat(type.status()).isEqualTo(200);
        assertThat(type.body().path("status").asInt()).isEqualTo(400);
    }

    @Test
    void whatIsNotInTheListNobodyMayUse() {
        assertThat(service.caller("administrator@backoffice.example")
                        .get(service.first, "/elsewhere")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void anotherSitesPageChangesNothing() {
        Answer answer = service.operator()
                .call(
                        service.first,
                        "POST",
                        "/platform/users/" + UUID.randomUUID() + "/deactivate",
                        Map.of("Sec-Fetch-Site", "cross-site"),
                        "")
                .join();
        assertThat(answer.status()).isEqualTo(403);
    }
}

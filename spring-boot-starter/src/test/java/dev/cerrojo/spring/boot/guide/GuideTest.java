package dev.cerrojo.spring.boot.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.testsupport.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** The guide's application does what the guide says, and is what the guide shows. */
class GuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "guide", "spring.md");
    private static final Path SOURCES = Path.of("src", "test", "java", "dev", "cerrojo", "spring", "boot", "guide");
    private static final Path RESOURCES = Path.of("src", "test", "resources", "guide");
    private static final Pattern SNIPPET =
            Pattern.compile("<!-- (\\S+) -->\\n```(?:java|sql)\\n(.*?)```", Pattern.DOTALL);

    @Test
    void ofTwoWhoLeaveAtOnceOneIsRefused() {
        try (TestDatabase database = TestDatabase.create();
                ConfigurableApplicationContext context = start(database)) {
            List<HttpResponse<String>> answers =
                    Stream.of("Ada", "Ben").map(doctor -> leave(context, doctor)).toList().stream()
                            .map(CompletableFuture::join)
                            .toList();
            assertThat(answers).extracting(HttpResponse::statusCode).containsExactlyInAnyOrder(200, 400);
            assertThat(answers)
                    .filteredOn(answer -> answer.statusCode() == 400)
                    .singleElement()
                    .satisfies(refused -> assertThat(refused.body())
                            .contains(
                                    "urn:cerrojo:problem:invariant-violated:on_call_coverage",
                                    "every shift keeps at least one active doctor"));
        }
    }

    private static ConfigurableApplicationContext start(TestDatabase database) {
        return new SpringApplicationBuilder(RosterApplication.class)
                .properties(
                        "spring.datasource.url=" + database.jdbcUrl(),
                        "spring.sql.init.mode=always",
                        "spring.sql.init.schema-locations=classpath:guide/schema.sql",
                        "cerrojo.schema.mode=create",
                        "server.port=0",
                        "spring.main.banner-mode=off",
                        "logging.level.root=warn")
                .run();
    }

    private static CompletableFuture<HttpResponse<String>> leave(
            ConfigurableApplicationContext context, String doctor) {
        int port = ((WebServerApplicationContext) context).getWebServer().getPort();
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://localhost:%d/shifts/1/doctors/%s".formatted(port, doctor)))
                .DELETE()
                .build();
        return HttpClient.newHttpClient().sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void everySnippetIsInTheFileThatItNames() throws IOException {
        List<MatchResult> snippets =
                SNIPPET.matcher(Files.readString(GUIDE)).results().toList();
        assertThat(snippets)
                .hasSizeGreaterThanOrEqualTo(4)
                .allSatisfy(snippet -> assertThat(flat(Files.readString(file(snippet.group(1)))))
                        .contains(flat(snippet.group(2))));
    }

    private static Path file(String name) {
        return name.endsWith(".java") ? SOURCES.resolve(name) : RESOURCES.resolve(name);
    }

    private static String flat(String code) {
        return code.lines().map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining("\n"));
    }
}

package dev.cerrojo.backoffice;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.json.JsonMapper;

/** A user of the service, who may call any replica. */
record Caller(String email, String password) {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration LIMIT = Duration.ofSeconds(30);

    static Caller of(String email, Map<String, String> passwords) {
        return new Caller(email, passwords.get(email));
    }

    Answer get(Replica replica, String path) {
        return call(replica, "GET", path, Map.of(), "").join();
    }

    Answer post(Replica replica, String path, Object body) {
        return call(replica, "POST", path, Map.of(), JsonMapper.shared().writeValueAsString(body))
                .join();
    }

    CompletableFuture<Answer> call(
            Replica replica, String method, String path, Map<String, String> headers, String body) {
        URI uri = replica.address().resolve(path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(LIMIT)
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!email.isEmpty()) {
            request.header("Authorization", "Basic " + credentials());
        }
        headers.forEach(request::header);
        return HTTP.sendAsync(request.build(), BodyHandlers.ofString()).thenApply(Answer::of);
    }

    private String credentials() {
        return Base64.getEncoder().encodeToString((email + ':' + password).getBytes(StandardCharsets.UTF_8));
    }
}

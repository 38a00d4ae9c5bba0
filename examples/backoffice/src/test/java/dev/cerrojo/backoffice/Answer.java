package dev.cerrojo.backoffice;

import java.net.http.HttpResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the service answered. */
record Answer(int status, String contentType, JsonNode body, HttpResponse<String> response) {
    private static final JsonMapper JSON = JsonMapper.shared();

    static Answer of(HttpResponse<String> response) {
        String type = response.headers().firstValue("Content-Type").orElse("");
        boolean json = type.contains("json") && !response.body().isEmpty();
        return new Answer(response.statusCode(), type, JSON.readTree(json ? response.body() : "null"), response);
    }

    /** {@return the type of the problem; empty when it is none} */
    String problem() {
        return contentType.startsWith("application/problem+json")
                ? body.path("type").asString("")
                : "";
    }

    @Override
    public String toString() {
        return status + " " + response.headers().map() + ' ' + response.body();
    }
}

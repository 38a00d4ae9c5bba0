package dev.cerrojo.idempotency;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a client was answered, and is answered again, byte for byte.
 *
 * @param status the HTTP status, 200 to 499; a server error says that nothing is known, and is never stored
 * @param headers those that are worth keeping, in their order; not dates, cookies or what a proxy adds
 * @param body as it was sent
 */
@SuppressWarnings("ArrayRecordComponent") // copied, and compared by its content
public record StoredResponse(int status, List<Map.Entry<String, String>> headers, byte[] body) {
    private static final int LEAST = 200;
    private static final int MOST = 499;

    /** Checks the status, and copies the rest. */
    public StoredResponse {
        if (status < LEAST || status > MOST) {
            throw new IllegalArgumentException(
                    "the status of a stored response must be 200 to 499, but was %d: let a server error roll back or be thrown"
                            .formatted(status));
        }
        headers = headers.stream()
                .<Map.Entry<String, String>>map(header -> Map.entry(header.getKey(), header.getValue()))
                .toList();
        body = body.clone();
    }

    /** {@return a response of JSON} */
    public static StoredResponse json(int status, String body) {
        return new StoredResponse(
                status, List.of(Map.entry("Content-Type", "application/json")), body.getBytes(StandardCharsets.UTF_8));
    }

    /** {@return the response of which the headers are names and values in turn} */
    static StoredResponse of(int status, List<String> namesAndValues, byte[] body) {
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        for (int i = 0; i + 1 < namesAndValues.size(); i += 2) {
            headers.add(Map.entry(namesAndValues.get(i), namesAndValues.get(i + 1)));
        }
        return new StoredResponse(status, headers, body);
    }

    List<String> namesAndValues() {
        return headers.stream()
                .flatMap(header -> List.of(header.getKey(), header.getValue()).stream())
                .toList();
    }

    @Override
    public byte[] body() {
        return body.clone();
    }

    /** {@return the body as UTF-8} */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StoredResponse response
                && status == response.status
                && headers.equals(response.headers)
                && Arrays.equals(body, response.body);
    }

    @Override
    public int hashCode() {
        return Objects.hash(status, headers, Arrays.hashCode(body));
    }

    /** Tells no content. */
    @Override
    public String toString() {
        return "a response with status %d and %d bytes".formatted(status, body.length);
    }
}

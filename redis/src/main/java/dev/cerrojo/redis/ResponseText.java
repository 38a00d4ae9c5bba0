package dev.cerrojo.redis;

import dev.cerrojo.idempotency.StoredResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Responses as one text: status, names and values of the headers in turn, and the body, each in Base64 and divided by spaces. */
final class ResponseText {
    private ResponseText() {}

    static String of(StoredResponse response) {
        List<String> parts = new ArrayList<>();
        parts.add(encoded(Integer.toString(response.status())));
        response.headers().forEach(header -> {
            parts.add(encoded(header.getKey()));
            parts.add(encoded(header.getValue()));
        });
        parts.add(Base64.getEncoder().encodeToString(response.body()));
        return String.join(" ", parts);
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static StoredResponse read(String text) {
        List<byte[]> parts = Arrays.stream(text.split(" ", -1))
                .map(Base64.getDecoder()::decode)
                .toList();
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        for (int i = 1; i + 1 < parts.size(); i += 2) {
            headers.add(Map.entry(utf8(parts.get(i)), utf8(parts.get(i + 1))));
        }
        return new StoredResponse(Integer.parseInt(utf8(parts.get(0))), headers, parts.get(parts.size() - 1));
    }

    private static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}

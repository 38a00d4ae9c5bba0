package dev.cerrojo.spring.boot.web;

import dev.cerrojo.idempotency.Reply;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;

/**
 * Turns replies of idempotent requests into HTTP.
 *
 * <pre>{@code
 * @PostMapping("/orders")
 * ResponseEntity<byte[]> place(RequestKey key, @RequestBody byte[] order) {
 *     return Replies.entity(orders.place(key, order)); // its method is @Idempotent(key = "#key", payload = "#order")
 * }
 * }</pre>
 */
public final class Replies {
    /** The header that marks a response of before: {@code Idempotency-Replayed: true}. */
    public static final String REPLAYED = "Idempotency-Replayed";

    private Replies() {}

    /** {@return the response, byte for byte as it was the first time, marked when it is of before} */
    public static ResponseEntity<byte[]> entity(Reply reply) {
        HttpHeaders headers = new HttpHeaders();
        reply.response().headers().forEach(header -> headers.add(header.getKey(), header.getValue()));
        if (reply.replayed()) {
            headers.add(REPLAYED, "true");
        }
        return ResponseEntity.status(reply.response().status())
                .headers(headers)
                .body(reply.response().body());
    }
}

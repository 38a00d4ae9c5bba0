package dev.cerrojo.spring.boot.web;

import java.net.URI;
import java.util.Locale;
import org.springframework.http.HttpStatus;

/** The kinds of errors that Cerrojo answers with. Neither their types nor their statuses change between versions. */
public enum Problem {
    /** A transaction would have left an invariant violated. The type ends with the invariant's name. */
    INVARIANT_VIOLATED(HttpStatus.BAD_REQUEST, "The change would break a rule"),
    /** The operation needs the header {@code Idempotency-Key}. */
    IDEMPOTENCY_KEY_MISSING(HttpStatus.BAD_REQUEST, "Idempotency-Key is missing"),
    /** The header {@code Idempotency-Key} cannot be read. */
    IDEMPOTENCY_KEY_INVALID(HttpStatus.BAD_REQUEST, "Idempotency-Key is not valid"),
    /** Keys belong to callers, and nobody knows who this one is. */
    CALLER_UNKNOWN(HttpStatus.UNAUTHORIZED, "The caller is not known"),
    /** The key was another request's. */
    IDEMPOTENCY_KEY_REUSED(HttpStatus.UNPROCESSABLE_CONTENT, "Idempotency-Key was another request's"),
    /** The first request with the key is not over. */
    REQUEST_IN_PROGRESS(HttpStatus.CONFLICT, "The request is in progress"),
    /** The request was given up before. */
    REQUEST_FAILED(HttpStatus.UNPROCESSABLE_CONTENT, "The request has failed for good"),
    /** The operation needs the header {@code If-Match}. */
    PRECONDITION_REQUIRED(HttpStatus.PRECONDITION_REQUIRED, "If-Match is missing"),
    /** It is not at the version that {@code If-Match} says. */
    PRECONDITION_FAILED(HttpStatus.PRECONDITION_FAILED, "It was changed meanwhile"),
    /** Somebody else has changed the same. */
    STALE_VERSION(HttpStatus.CONFLICT, "It was changed meanwhile"),
    /** What was to be changed is not there. */
    GONE(HttpStatus.NOT_FOUND, "It is not there"),
    /** Somebody else is at work on the same. */
    LEASE_HELD(HttpStatus.CONFLICT, "Somebody else is at work on it"),
    /** Too many were at it, or it took too long; nothing was done. */
    TRY_AGAIN(HttpStatus.SERVICE_UNAVAILABLE, "Nothing was done; try again"),
    /** Nobody knows whether it was done. */
    OUTCOME_UNKNOWN(HttpStatus.INTERNAL_SERVER_ERROR, "Nobody knows whether it was done");

    private static final String PREFIX = "urn:cerrojo:problem:";

    private final HttpStatus status;
    private final String title;

    Problem(HttpStatus status, String title) {
        this.status = status;
        this.title = title;
    }

    /** {@return the status that it is answered with} */
    public HttpStatus status() {
        return status;
    }

    /** {@return what it is, in a few words that do not change} */
    public String title() {
        return title;
    }

    /** {@return its type: {@code urn:cerrojo:problem:lease-held}} */
    public URI type() {
        return URI.create(PREFIX + name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    /** {@return the type of a violation: {@code urn:cerrojo:problem:invariant-violated:on_call_coverage}} */
    public static URI ofInvariant(String name) {
        return URI.create(INVARIANT_VIOLATED.type() + ":" + name);
    }
}

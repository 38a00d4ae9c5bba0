package dev.cerrojo.idempotency;

/**
 * What makes two requests the same one: what is asked for, by whom, and the key that the client gave to it.
 *
 * <pre>{@code
 * RequestKey key = RequestKey.of("place-order", "customer/17", request.header("Idempotency-Key"));
 * }</pre>
 *
 * @param operation what is asked for, such as {@code place-order}; 1 to 255 characters
 * @param caller who asks, as authentication says, so that nobody is answered with what is another's; 1 to 255 characters
 * @param key the client's; 1 to 255 characters
 */
public record RequestKey(String operation, String caller, String key) {
    /** Checks the parts. */
    public RequestKey {
        Names.require("operation", operation);
        Names.require("caller", caller);
        Names.require("key", key);
    }

    /** {@return the key of a request to which the client gave one} */
    public static RequestKey of(String operation, String caller, String key) {
        return new RequestKey(operation, caller, key);
    }

    /**
     * {@return the key of a request to which the client gave none: the same input is the same request}
     *
     * <p>Only for operations of which nobody means two when the input is the same; otherwise have clients give keys.
     */
    public static RequestKey fromInput(String operation, String caller, RequestHash input) {
        return new RequestKey(operation, caller, "sha256:" + input);
    }
}

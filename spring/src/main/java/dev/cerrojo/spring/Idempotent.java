package dev.cerrojo.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has a method take effect once per key: the claim of the key, the work and its result are one commit. What it throws rolls everything
 * back, so that the same key may be tried again. With another annotation of Cerrojo's it is that one's transaction.
 *
 * <p>A <b>job</b> returns nothing, and is passed over when it was done before:
 *
 * <pre>{@code
 * @Idempotent(operation = "send-invoice", key = "#invoice.number()", payload = "#invoice")
 * public void send(Invoice invoice) { … }
 * }</pre>
 *
 * <p>A <b>request</b> has a key of type {@link dev.cerrojo.idempotency.RequestKey} and returns a {@link
 * dev.cerrojo.idempotency.Reply}, which is that of the first time when it was done before:
 *
 * <pre>{@code
 * @Idempotent(key = "#key", payload = "#body")
 * public Reply place(RequestKey key, byte[] body) {
 *     return new Reply(StoredResponse.json(201, …), false);
 * }
 * }</pre>
 *
 * <p>It throws {@link dev.cerrojo.idempotency.InProgressException} while the first one is still at it, and {@link
 * dev.cerrojo.idempotency.RequestMismatchException} when the key had another payload.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Idempotent {
    /** {@return what a job does, such as {@code send-invoice}; empty for a request, whose key has it} */
    String operation() default "";

    /** {@return the key: the name of a parameter, or an expression in Spring's language} */
    String key();

    /**
     * {@return what must be the same when the key is: bytes, or anything whose text is compared; empty where the key alone says it all}
     */
    String payload() default "";
}

package dev.cerrojo.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has a method run under a lease, in a transaction that is fenced by it: it commits only while nobody else has acquired what the lease
 * is about. The lease is acquired before the transaction begins, and released after it has ended.
 *
 * <pre>{@code
 * @Leased(entity = "'article/' + #id", group = "seo")
 * public void describe(int id, String text) { … }
 * }</pre>
 *
 * <p>It throws {@link dev.cerrojo.lease.LeaseNotAcquiredException} when somebody else has it for all of the time that is waited, and
 * {@link dev.cerrojo.lease.LeaseLostException} when it was lost; nothing is committed then.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Leased {
    /** {@return what the lease is about: the name of a parameter, or an expression in Spring's language} */
    String entity();

    /** {@return the group of fields, as it is, or an expression when it has a {@code #}; empty for the whole entity} */
    String group() default "";
}

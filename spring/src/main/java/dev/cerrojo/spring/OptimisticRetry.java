package dev.cerrojo.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has a method run in a transaction, and again in a new one when somebody else was faster: when a version was stale ({@link
 * dev.cerrojo.StaleVersionException}, Spring's {@code OptimisticLockingFailureException}, JPA's {@code
 * OptimisticLockException}), and on SQLSTATE 40001 and 40P01.
 *
 * <p>For methods that read what they change. Where the version is the caller's, as with {@code If-Match}, running it again gives the
 * same answer: leave it out.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface OptimisticRetry {
    /** {@return how often the method may run; 0 for as often as the transactions' options say} */
    int maxAttempts() default 0;
}

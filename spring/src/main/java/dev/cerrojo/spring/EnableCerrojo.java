package dev.cerrojo.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Has Cerrojo's annotations on the methods of beans do what they say. Spring Boot's starter does it by itself.
 *
 * <pre>{@code
 * @Configuration
 * @EnableCerrojo
 * class Invariants {
 *     @Bean
 *     Invariant coverage() {
 *         return Invariant.named("on_call_coverage")
 *                 .per("shift", "id")
 *                 .atLeast(1, Rows.of("on_call").by("shift_id").where("active"));
 *     }
 * }
 * }</pre>
 *
 * <p>It needs a {@code DataSource} and its transaction manager as beans; {@link dev.cerrojo.tx.TransactionOptions}, {@link
 * dev.cerrojo.idempotency.IdempotencySettings} and {@link dev.cerrojo.lease.Leases} are taken where they are. The application does not start ({@link NotWovenException}) while an annotation
 * would do nothing.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Import(CerrojoConfiguration.class)
public @interface EnableCerrojo {}

package dev.cerrojo.spring;

import dev.cerrojo.tx.OuterTransaction;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has a method run in a transaction that keeps an invariant, as {@link dev.cerrojo.invariant.GuardedTransactions} does: it takes the
 * serialization point of the scope, runs the method, checks the invariant, and commits or rolls back.
 *
 * <pre>{@code
 * @Guarded(invariant = "on_call_coverage", scope = "shift")
 * public void leave(int shift, String doctor) {
 *     jdbc.update("UPDATE on_call SET active = false WHERE shift_id = ? AND doctor = ?", shift, doctor);
 * }
 * }</pre>
 *
 * <p>The method may run several times, each time in a new transaction: what it does outside of the database belongs after the commit
 * ({@code TransactionSynchronization.afterCommit}, {@code @TransactionalEventListener}). It throws {@link
 * dev.cerrojo.invariant.InvariantViolatedException} when it would leave the invariant violated. Several on one method guard several
 * scopes.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Repeatable(Guarded.List.class)
public @interface Guarded {
    /**
     * {@return the name of the invariant}
     *
     * <p>It is that of a bean of type {@link dev.cerrojo.invariant.SerializationPoint}, or of type {@link
     * dev.cerrojo.invariant.Invariant}, which is then guarded by {@code touch}.
     */
    String invariant();

    /**
     * {@return the scope: the name of a parameter, or an expression in Spring's language such as {@code #shift.id()}; empty in global
     * scope}
     *
     * <p>A collection names several scopes.
     */
    String scope() default "";

    /**
     * {@return what is done when a transaction is open already}
     *
     * <p>The work of a transaction that is joined is neither run again nor checked beyond this method.
     */
    OuterTransaction outer() default OuterTransaction.REFUSE;

    /** Holds several. */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface List {
        /** {@return all of them} */
        Guarded[] value();
    }
}

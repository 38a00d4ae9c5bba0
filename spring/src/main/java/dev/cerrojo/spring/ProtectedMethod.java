package dev.cerrojo.spring;

import dev.cerrojo.Actor;
import dev.cerrojo.idempotency.Reply;
import dev.cerrojo.tx.OuterTransaction;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * A method that carries annotations of Cerrojo's, and what they say.
 *
 * @param method as it stands in the class
 * @param guards what it keeps, in the order in which they are written
 * @param lease what it needs a lease for
 * @param retry how often at most it runs when a version is stale; 0 for as often as the options say
 * @param actor who acts
 * @param once what it takes effect once for
 */
public record ProtectedMethod(
        Method method,
        List<Guard> guards,
        Optional<Lease> lease,
        OptionalInt retry,
        Optional<Actor> actor,
        Optional<Once> once) {
    /** An invariant that is guarded, and where its scope comes from; none in global scope. */
    record Guard(String invariant, Optional<Expression> scope, OuterTransaction outer) {}

    /** Where the scope of a lease comes from. */
    record Lease(Expression entity, Optional<Expression> group) {}

    /** What a method takes effect once for; the operation is empty for a request. */
    record Once(String operation, Expression key, Optional<Expression> payload) {}

    /** {@return whether any of the annotations is on the method, or on one that it overrides} */
    static boolean isAnnotated(Method method) {
        return !method.isBridge()
                && !method.isSynthetic()
                && (AnnotatedElementUtils.hasAnnotation(method, Guarded.class)
                        || AnnotatedElementUtils.hasAnnotation(method, Guarded.List.class)
                        || AnnotatedElementUtils.hasAnnotation(method, Leased.class)
                        || AnnotatedElementUtils.hasAnnotation(method, OptimisticRetry.class)
                        || AnnotatedElementUtils.hasAnnotation(method, Idempotent.class)
                        || AnnotatedElementUtils.hasAnnotation(method, ActingAs.class));
    }

    /**
     * {@return what the annotations say}
     *
     * @throws IllegalArgumentException when they cannot be understood, or not together
     */
    static ProtectedMethod of(Method method) {
        ProtectedMethod read = new ProtectedMethod(
                method,
                AnnotatedElementUtils.findMergedRepeatableAnnotations(method, Guarded.class, Guarded.List.class)
                        .stream()
                        .map(guarded ->
                                new Guard(guarded.invariant(), optional(guarded.scope(), method), guarded.outer()))
                        .toList(),
                find(method, Leased.class)
                        .map(leased ->
                                new Lease(Expression.of(leased.entity(), method), group(leased.group(), method))),
                find(method, OptimisticRetry.class)
                        .map(retry -> OptionalInt.of(retry.maxAttempts()))
                        .orElseGet(OptionalInt::empty),
                find(method, ActingAs.class).map(ActingAs::value),
                find(method, Idempotent.class)
                        .map(once -> new Once(
                                once.operation(),
                                Expression.of(once.key(), method),
                                optional(once.payload(), method))));
        read.requireFitting();
        return read;
    }

    private static <A extends java.lang.annotation.Annotation> Optional<A> find(Method method, Class<A> type) {
        return Optional.ofNullable(AnnotatedElementUtils.findMergedAnnotation(method, type));
    }

    private static Optional<Expression> optional(String text, Method method) {
        return text.isEmpty() ? Optional.empty() : Optional.of(Expression.of(text, method));
    }

    private static Optional<Expression> group(String text, Method method) {
        boolean literal = !text.isEmpty() && text.indexOf('#') < 0;
        return literal
                ? Optional.of(Expression.of("'" + text.replace("'", "''") + "'", method))
                : optional(text, method);
    }

    private void requireFitting() {
        if (retry.orElse(0) < 0) {
            throw new IllegalArgumentException("maxAttempts of @OptimisticRetry must be 1 or more, or 0 for as often as"
                    + " the options say, but was " + retry.getAsInt());
        }
        if (joins() && (lease.isPresent() || retry.isPresent())) {
            throw new IllegalArgumentException(
                    "@Guarded(outer = JOIN) takes part in a transaction that others end and that cannot be run again, so it"
                            + " fits neither @Leased nor @OptimisticRetry: leave JOIN out");
        }
        once.ifPresent(this::requireFitting);
        if (actor.isPresent() && joins()) {
            throw new IllegalArgumentException(
                    "@ActingAs would go on after the method in the transaction that @Guarded(outer = JOIN) takes part in: annotate the method that begins it");
        }
        if (guards.stream().map(Guard::outer).distinct().count() > 1) {
            throw new IllegalArgumentException("all @Guarded of one method must have the same outer");
        }
    }

    private void requireFitting(Once once) {
        Class<?> expected = once.operation().isEmpty() ? Reply.class : void.class;
        if (method.getReturnType() != expected) {
            throw new IllegalArgumentException(
                    "@Idempotent with operation \"%s\" must return %s, but returns %s: a job has an operation and returns nothing, a request has none and returns a Reply"
                            .formatted(
                                    once.operation(),
                                    expected.getSimpleName(),
                                    method.getReturnType().getSimpleName()));
        }
    }

    /** {@return whether it becomes part of a transaction that is open already} */
    boolean joins() {
        return guards.stream().anyMatch(guard -> guard.outer() == OuterTransaction.JOIN);
    }

    /** {@return the names of its annotations, as messages show them} */
    String annotations() {
        return Stream.of(
                        guards.isEmpty() ? "" : "@Guarded",
                        lease.isPresent() ? "@Leased" : "",
                        retry.isPresent() ? "@OptimisticRetry" : "",
                        actor.isPresent() ? "@ActingAs" : "",
                        once.isPresent() ? "@Idempotent" : "")
                .filter(name -> !name.isEmpty())
                .collect(Collectors.joining(", "));
    }

    /** {@return what protects it: {@code guarded}, {@code leased}, {@code retried}, {@code acting} and {@code idempotent}, those that apply} */
    public List<String> kinds() {
        List<String> kinds = new ArrayList<>();
        add(kinds, !guards.isEmpty(), "guarded");
        add(kinds, lease.isPresent(), "leased");
        add(kinds, retry.isPresent(), "retried");
        add(kinds, actor.isPresent(), "acting");
        add(kinds, once.isPresent(), "idempotent");
        return kinds;
    }

    private static void add(List<String> kinds, boolean applies, String kind) {
        if (applies) {
            kinds.add(kind);
        }
    }

    /** {@return the class and the name: {@code RosterService.leave}} */
    public String name() {
        return method.getDeclaringClass().getSimpleName() + '.' + method.getName();
    }
}

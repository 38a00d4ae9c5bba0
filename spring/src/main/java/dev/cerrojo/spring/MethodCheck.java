package dev.cerrojo.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** What one annotated method has that keeps the annotation from working. */
final class MethodCheck {
    private static final List<String> NOT_THROUGH_A_PROXY =
            List.of("jakarta.annotation.PostConstruct", "jakarta.annotation.PreDestroy");

    private static final Set<String> LIFECYCLE = Set.of("afterPropertiesSet", "destroy", "afterSingletonsInstantiated");

    private static final Set<String> OTHER_TRANSACTION = Set.of("REQUIRES_NEW", "NOT_SUPPORTED", "NEVER", "NESTED");

    private static final Set<String> LATER =
            Set.of("org.reactivestreams.Publisher", "java.util.concurrent.Flow$Publisher");

    private MethodCheck() {}

    /** {@return each problem of a method of a bean's class} */
    static List<String> problems(Method method, Class<?> user) {
        return Stream.of(
                        modifiers(method, user),
                        lifecycle(method),
                        later(method),
                        transactional(
                                method,
                                user,
                                "org.springframework.transaction.annotation.Transactional",
                                "propagation"),
                        transactional(method, user, "jakarta.transaction.Transactional", "value"),
                        isolation(method, user))
                .flatMap(Optional::stream)
                .map(problem -> name(method) + ' ' + problem)
                .toList();
    }

    /** {@return the class, the method and the types of its parameters} */
    static String name(Method method) {
        return "%s.%s(%s)"
                .formatted(
                        method.getDeclaringClass().getName(),
                        method.getName(),
                        Arrays.stream(method.getParameterTypes())
                                .map(Class::getSimpleName)
                                .collect(Collectors.joining(", ")));
    }

    private static Optional<String> modifiers(Method method, Class<?> user) {
        int flags = method.getModifiers();
        if (Modifier.isPrivate(flags)) {
            return before("is private", "make it public, protected or package-private");
        } else if (Modifier.isStatic(flags)) {
            return before("is static", "make it a method of the bean");
        } else if (Modifier.isFinal(flags)) {
            return before("is final", "leave final out");
        } else if (Modifier.isFinal(user.getModifiers())) {
            return before(
                    "is in the final class " + user.getName(),
                    "leave final out (a record cannot be a bean with annotations)");
        }
        return Optional.empty();
    }

    private static Optional<String> before(String what, String instead) {
        return Optional.of(
                "%s, so no proxy can stand before it and its annotation would do nothing: %s".formatted(what, instead));
    }

    private static Optional<String> lifecycle(Method method) {
        MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        boolean direct = NOT_THROUGH_A_PROXY.stream().anyMatch(annotations::isPresent)
                || (method.getParameterCount() == 0 && LIFECYCLE.contains(method.getName()));
        return direct
                ? Optional.of(
                        "is called by Spring on the object itself, before its proxy is there, so its annotation would do nothing: call it from an ApplicationRunner, or from a listener of ApplicationReadyEvent in another bean")
                : Optional.empty();
    }

    private static Optional<String> later(Method method) {
        boolean async = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
                .isPresent("org.springframework.scheduling.annotation.Async");
        return !async && isLater(method.getReturnType())
                ? Optional.of(
                        "returns %s, whose work may be done when the transaction has ended: return the result itself, or annotate the method with @Async"
                                .formatted(method.getReturnType().getSimpleName()))
                : Optional.empty();
    }

    private static boolean isLater(Class<?> type) {
        return Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || Callable.class.isAssignableFrom(type)
                || SelfCalls.typeNames(type).anyMatch(LATER::contains);
    }

    /** Work in another transaction, or in none, is not what is guarded. */
    private static Optional<String> transactional(Method method, Class<?> user, String annotation, String attribute) {
        return find(method, user, annotation)
                .map(found -> String.valueOf(found.getValue(attribute).orElse("")))
                .filter(OTHER_TRANSACTION::contains)
                .map(propagation ->
                        "is also @Transactional with %s, so that its work would be done outside of the transaction that is protected: leave @Transactional out"
                                .formatted(propagation));
    }

    private static Optional<String> isolation(Method method, Class<?> user) {
        return find(method, user, "org.springframework.transaction.annotation.Transactional")
                .map(found -> String.valueOf(found.getValue("isolation").orElse("DEFAULT")))
                .filter(isolation -> !isolation.equals("DEFAULT"))
                .map(isolation ->
                        "is also @Transactional with isolation %s, which has no effect on the transaction that it joins: leave @Transactional out, and set the level with TransactionOptions.isolation"
                                .formatted(isolation));
    }

    private static Optional<MergedAnnotation<?>> find(Method method, Class<?> user, String annotation) {
        return Stream.of(method, user)
                .<MergedAnnotation<?>>map(element -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
                        .get(annotation))
                .filter(MergedAnnotation::isPresent)
                .findFirst();
    }
}

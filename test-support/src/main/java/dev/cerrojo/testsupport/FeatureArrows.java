package dev.cerrojo.testsupport;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which features of core may use which. All of them may use {@code internal}, and {@code internal} uses none. */
final class FeatureArrows {
    private static final String INTERNAL = "internal";

    private static final Map<String, Set<String>> ARROWS = Map.of(
            INTERNAL,
            Set.of(),
            "tx",
            Set.of(),
            "invariant",
            Set.of("tx"),
            "optimistic",
            Set.of("tx"),
            "schema",
            Set.of("tx"),
            "lease",
            Set.of("tx", "schema"),
            "idempotency",
            Set.of("tx", "schema"),
            "ownership",
            Set.of("tx", "schema"),
            "version",
            Set.of("tx", "schema"),
            "guard",
            Set.of("invariant", "schema"));

    private FeatureArrows() {}

    static ArchCondition<JavaClass> condition() {
        return new ArchCondition<>("use only the features that the design lets them use") {
            @Override
            public void check(JavaClass user, ConditionEvents events) {
                user.getDirectDependenciesFromSelf().stream()
                        .filter(dependency -> !allowed(dependency))
                        .forEach(dependency ->
                                events.add(SimpleConditionEvent.violated(user, dependency.getDescription())));
            }
        };
    }

    private static boolean allowed(Dependency dependency) {
        Optional<String> user = feature(dependency.getOriginClass());
        Optional<String> used = feature(dependency.getTargetClass());
        return user.isEmpty()
                || used.map(feature -> allowed(user.get(), feature)).orElse(true);
    }

    static boolean allowed(String user, String used) {
        return user.equals(used) || ARROWS.getOrDefault(user, Set.of()).contains(used) || used.equals(INTERNAL);
    }

    /** {@return the feature that a class belongs to; none when it is not of core} */
    private static Optional<String> feature(JavaClass type) {
        String[] names = type.getPackageName().split("\\.", -1);
        return type.getPackageName().startsWith("dev.cerrojo.")
                ? Optional.of(names[2]).filter(ARROWS::containsKey)
                : Optional.empty();
    }
}

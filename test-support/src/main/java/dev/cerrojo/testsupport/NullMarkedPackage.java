package dev.cerrojo.testsupport;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

/** Holds for a class whose package has a {@code package-info} with {@code @NullMarked}. */
final class NullMarkedPackage {
    private NullMarkedPackage() {}

    static ArchCondition<JavaClass> condition() {
        return new ArchCondition<>("be in a package that is @NullMarked") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
                    events.add(SimpleConditionEvent.violated(
                            type,
                            "package %s of %s has no package-info.java with @NullMarked"
                                    .formatted(type.getPackageName(), type.getName())));
                }
            }
        };
    }
}

package dev.cerrojo.spring;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.util.ClassUtils;

/** The methods that were found to carry annotations of Cerrojo's. Used by any number of threads. */
public final class ProtectedMethods {
    private final Map<Method, ProtectedMethod> known = new ConcurrentHashMap<>();

    ProtectedMethods() {}

    /** {@return those that were found until now} */
    public Collection<ProtectedMethod> all() {
        return java.util.List.copyOf(known.values());
    }

    /**
     * {@return what the annotations of a method say; empty when it has none}
     *
     * @throws IllegalArgumentException when they cannot be understood
     */
    Optional<ProtectedMethod> find(Method method, Class<?> target) {
        Method specific = specific(method, target);
        ProtectedMethod found = known.get(specific);
        if (found == null && ProtectedMethod.isAnnotated(specific)) {
            found = ProtectedMethod.of(specific);
            known.put(specific, found);
        }
        return Optional.ofNullable(found);
    }

    /** {@return the method of the class that a call of this one ends in} */
    static Method specific(Method method, Class<?> target) {
        return BridgeMethodResolver.findBridgedMethod(
                ClassUtils.getMostSpecificMethod(method, ClassUtils.getUserClass(target)));
    }
}

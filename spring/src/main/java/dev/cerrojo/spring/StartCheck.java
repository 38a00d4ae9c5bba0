package dev.cerrojo.spring;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Looks at all beans once they are made, and at the classes of those that are made later: each annotation must be woven, and what it
 * names must be there.
 */
final class StartCheck implements SmartInitializingSingleton {
    private final ConfigurableListableBeanFactory beans;
    private final WeavingCheck check;
    private final WeavingPostProcessor weaving;
    private final ProtectedMethods methods;
    private final Supplier<Protection> protection;

    StartCheck(
            ConfigurableListableBeanFactory beans,
            WeavingCheck check,
            WeavingPostProcessor weaving,
            ProtectedMethods methods,
            Supplier<Protection> protection) {
        this.beans = beans;
        this.check = check;
        this.weaving = weaving;
        this.methods = methods;
        this.protection = protection;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Set<String> problems = new LinkedHashSet<>();
        for (String name : names()) {
            problems.addAll(problems(name));
        }
        methods.all().forEach(method -> problems.addAll(needs(method)));
        if (!problems.isEmpty()) {
            throw new NotWovenException(List.copyOf(problems));
        }
    }

    private List<String> names() {
        List<String> names = new ArrayList<>(List.of(beans.getBeanDefinitionNames()));
        names.addAll(List.of(beans.getSingletonNames()));
        return names;
    }

    private List<String> problems(String name) {
        if (beans.containsSingleton(name)) {
            Object bean = beans.getSingleton(name);
            return bean == null || bean instanceof ScopedObject
                    ? List.of()
                    : check.problems(name, bean, weaving.advisor());
        }
        Class<?> type = beans.getType(name, false);
        boolean aProxyBefore = beans.containsBean(ScopedProxyUtils.getTargetBeanName(name));
        return type == null || aProxyBefore ? List.of() : check.problems(type);
    }

    private List<String> needs(ProtectedMethod method) {
        try {
            protection.get().requireReady(method);
            return List.of();
        } catch (IllegalArgumentException e) {
            return List.of(MethodCheck.name(method.method()) + ": " + e.getMessage());
        }
    }
}

package dev.cerrojo.spring;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.util.ClassUtils;

/**
 * Finds the annotated methods of a class that a call may reach without what the annotations ask for. Each problem names the class, the
 * method, the place and the way out.
 */
final class WeavingCheck {
    private final ProtectedMethods methods;
    private final Map<Class<?>, List<String>> checked = new ConcurrentHashMap<>();

    WeavingCheck(ProtectedMethods methods) {
        this.methods = methods;
    }

    /** {@return what is wrong with a bean's class, whatever Spring makes of it} */
    List<String> problems(Class<?> bean) {
        Class<?> user = ClassUtils.getUserClass(bean);
        // Not computeIfAbsent: classes may be loaded meanwhile.
        List<String> known = checked.get(user);
        if (known == null) {
            known = found(user);
            checked.put(user, known);
        }
        return known;
    }

    private List<String> found(Class<?> user) {
        Set<Method> annotated = annotated(user);
        List<String> problems = new ArrayList<>();
        for (Method method : annotated) {
            MethodCheck.problems(method, user).forEach(problems::add);
            try {
                methods.find(method, user);
            } catch (IllegalArgumentException e) {
                problems.add("%s: %s".formatted(MethodCheck.name(method), e.getMessage()));
            }
        }
        problems.addAll(selfCalls(user, annotated));
        return problems;
    }

    /** {@return the methods that carry an annotation, or override one that does} */
    static Set<Method> annotated(Class<?> user) {
        Set<Method> annotated = new LinkedHashSet<>();
        for (Class<?> type : SelfCalls.types(user)) {
            Arrays.stream(type.getDeclaredMethods())
                    .filter(ProtectedMethod::isAnnotated)
                    .map(method -> hidden(method) ? method : ProtectedMethods.specific(method, user))
                    .forEach(annotated::add);
        }
        return annotated;
    }

    private static boolean hidden(Method method) {
        return Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers());
    }

    private static List<String> selfCalls(Class<?> user, Set<Method> annotated) {
        if (annotated.isEmpty()) {
            return List.of();
        }
        try {
            return SelfCalls.of(user, signatures(user, annotated)).stream()
                    .map(call -> problem(user, call))
                    .toList();
        } catch (IOException e) {
            return List.of(
                    "%s: whether it calls its own annotated methods cannot be seen, since %s: let the class be loaded from a class file"
                            .formatted(user.getName(), e.getMessage()));
        }
    }

    /** With those of the compiler's bridges, which generic code calls. */
    private static Set<Signature> signatures(Class<?> user, Set<Method> annotated) {
        Set<Signature> signatures = new HashSet<>();
        annotated.forEach(method -> signatures.add(Signature.of(method)));
        SelfCalls.types(user).stream()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method ->
                        method.isBridge() && annotated.contains(BridgeMethodResolver.findBridgedMethod(method)))
                .forEach(method -> signatures.add(Signature.of(method)));
        return signatures;
    }

    private static String problem(Class<?> user, SelfCall call) {
        return ("%s.%s is called on the same object in %s.%s (%s), which does not go through Spring's proxy, so the annotation would"
                        + " do nothing there: move the method to another bean, or call it on the bean that is injected (a field of type"
                        + " %s with @Lazy)")
                .formatted(
                        user.getName(),
                        call.callee().name(),
                        call.callerClass(),
                        call.caller(),
                        call.place(),
                        user.getSimpleName());
    }

    /** {@return what is wrong with a bean as it is in the application} */
    List<String> problems(String name, Object bean, Advisor advisor) {
        Class<?> user = ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
        Set<Method> annotated = annotated(user);
        if (annotated.isEmpty()) {
            return List.of();
        }
        boolean advised = bean instanceof Advised proxy
                && Arrays.asList(proxy.getAdvisors()).contains(advisor);
        if (!advised) {
            return List.of(
                    "bean %s of %s has annotations of Cerrojo on %s but is no proxy with them, since it was made before the post-processors of beans were (a bean that one of those needs): let those get it lazily (ObjectProvider, @Lazy)"
                            .formatted(
                                    name,
                                    user.getName(),
                                    annotated.stream().map(Method::getName).toList()));
        }
        return problems(user, bean, annotated);
    }

    private static List<String> problems(Class<?> user, Object bean, Set<Method> annotated) {
        if (!AopUtils.isJdkDynamicProxy(bean)) {
            return List.of();
        }
        return annotated.stream()
                .filter(method -> Stream.of(bean.getClass().getInterfaces())
                        .noneMatch(type -> ClassUtils.hasMethod(type, method.getName(), method.getParameterTypes())))
                .map(method ->
                        "%s.%s is in none of the interfaces of the proxy, so that it cannot be called through it: add it to one, or set spring.aop.proxy-target-class=true"
                                .formatted(user.getName(), method.getName()))
                .toList();
    }
}

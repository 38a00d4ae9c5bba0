package dev.cerrojo.spring;

import java.io.Serial;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/**
 * Puts a proxy before each bean with annotated methods, outside of {@code @Transactional} and inside of {@code @Async}; and refuses the
 * bean when a call could pass by that proxy.
 */
final class WeavingPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient WeavingCheck check;

    WeavingPostProcessor(WeavingCheck check, ProtectionInterceptor interceptor) {
        this.check = check;
        this.advisor = new DefaultPointcutAdvisor(new Annotated(), interceptor);
        setBeforeExistingAdvisors(true);
        setProxyTargetClass(true);
        setOrder(LOWEST_PRECEDENCE - 100);
    }

    org.springframework.aop.Advisor advisor() {
        return java.util.Objects.requireNonNull(advisor);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof ScopedObject) {
            return bean;
        }
        List<String> problems = check.problems(AopUtils.getTargetClass(bean));
        if (!problems.isEmpty()) {
            throw new NotWovenException(problems);
        }
        return super.postProcessAfterInitialization(bean, name);
    }

    /** The methods that carry an annotation of Cerrojo's. */
    private static final class Annotated extends StaticMethodMatcherPointcut {
        @Override
        public boolean matches(Method method, Class<?> target) {
            return ProtectedMethod.isAnnotated(ProtectedMethods.specific(method, target));
        }
    }
}

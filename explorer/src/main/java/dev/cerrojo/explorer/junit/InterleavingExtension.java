package dev.cerrojo.explorer.junit;

import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Sample;
import dev.cerrojo.explorer.search.Verdict;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/** Gives test methods a race, and explores it when the method has returned. */
public final class InterleavingExtension implements ParameterResolver, InvocationInterceptor {
    private static final Namespace NAMESPACE = Namespace.create(InterleavingExtension.class);
    private static final String REPLAY = "cerrojo.replay";
    private static final String DISPOSABLE = "cerrojo.disposable";

    /** Made by JUnit. */
    public InterleavingExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Interleavings.class
                && context.getTestMethod().isPresent();
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Interleavings race = new Interleavings(settings(context));
        context.getStore(NAMESPACE).put(Interleavings.class, race);
        return race;
    }

    private static Interleavings.Settings settings(ExtensionContext context) {
        Interleavings.Settings standard = Interleavings.Settings.standard();
        Optional<InterleavingTest> test = annotation(context, InterleavingTest.class);
        return new Interleavings.Settings(
                test.map(it -> new Bounds(it.maxSchedules(), Duration.ofSeconds(it.timeoutSeconds())))
                        .orElse(standard.bounds()),
                test.map(InterleavingTest::mode).orElse(standard.mode()),
                disposable(context),
                replay(context),
                test.filter(it -> it.randomSchedules() != 0).map(it -> new Sample(it.randomSchedules(), it.seed())));
    }

    private static <A extends java.lang.annotation.Annotation> Optional<A> annotation(
            ExtensionContext context, Class<A> type) {
        return AnnotationSupport.findAnnotation(context.getElement(), type);
    }

    private static Set<String> disposable(ExtensionContext context) {
        return context.getConfigurationParameter(DISPOSABLE).stream()
                .flatMap(names -> Arrays.stream(names.split(",")))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
    }

    private static Optional<ReplayToken> replay(ExtensionContext context) {
        return annotation(context, Replay.class)
                .map(Replay::value)
                .or(() -> context.getConfigurationParameter(REPLAY).filter(word -> !word.isBlank()))
                .map(ReplayToken::parse);
    }

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        invocation.proceed();
        check(context);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        invocation.proceed();
        check(context);
    }

    /** A test that explored its race itself has said what it wants of the findings. */
    private static void check(ExtensionContext context) {
        Interleavings race = context.getStore(NAMESPACE).get(Interleavings.class, Interleavings.class);
        if (race == null) {
            return;
        }
        boolean explored = race.isExplored();
        Findings findings = race.explore();
        Attachment.publish(context, findings);
        if (explored) {
            return;
        }
        if (findings.verdict() == Verdict.INCONCLUSIVE && mayAbort(context)) {
            throw new TestAbortedException(findings.text());
        }
        race.check();
    }

    private static boolean mayAbort(ExtensionContext context) {
        return annotation(context, InterleavingTest.class)
                .filter(test -> test.whenInconclusive() == InterleavingTest.WhenInconclusive.ABORT)
                .isPresent();
    }
}

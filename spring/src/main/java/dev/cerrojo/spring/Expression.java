package dev.cerrojo.spring;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * What an annotation says about a call, in Spring's expression language.
 *
 * @param text as the annotation has it
 * @param parsed the expression that it stands for
 */
record Expression(String text, org.springframework.expression.Expression parsed, Method method) {
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final Pattern NAME = Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*");
    private static final Pattern VARIABLE = Pattern.compile("#([\\p{L}_$][\\p{L}\\p{N}_$]*)");
    private static final Pattern STRING = Pattern.compile("'[^']*'");
    private static final Pattern BY_POSITION = Pattern.compile("root|this|[ap]\\d+");

    /**
     * {@return the expression}
     *
     * @param text the name of a parameter, or an expression
     * @throws IllegalArgumentException when it names no parameter or cannot be read; the message says what it may name
     */
    static Expression of(String text, Method method) {
        String expression = NAME.matcher(text).matches() ? "#" + text : text;
        VARIABLE.matcher(STRING.matcher(expression).replaceAll(""))
                .results()
                .map(found -> found.group(1))
                .forEach(name -> requireParameter(name, text, method));
        try {
            return new Expression(text, PARSER.parseExpression(expression), method);
        } catch (ParseException e) {
            throw new IllegalArgumentException(
                    "\"%s\" cannot be read as an expression: %s".formatted(text, e.getMessage()), e);
        }
    }

    private static void requireParameter(String name, String text, Method method) {
        List<String> names = parameters(method)
                .orElseThrow(() -> new IllegalArgumentException(
                        "\"%s\" names a parameter, but their names are not in the class file: compile with -parameters, or write #p0 for the first"
                                .formatted(text)));
        if (!names.contains(name) && !BY_POSITION.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "\"%s\" names the parameter %s, but the method's are %s: name one of them"
                            .formatted(text, name, names));
        }
    }

    private static Optional<List<String>> parameters(Method method) {
        if (method.getParameterCount() == 0) {
            return Optional.of(List.of());
        }
        String @Nullable [] names = NAMES.getParameterNames(method);
        return Optional.ofNullable(names).map(Arrays::asList);
    }

    /** {@return its value for a call} */
    @Nullable
    Object value(Object target, @Nullable Object[] arguments, BeanFactory beans) {
        MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(target, method, arguments, NAMES);
        context.setBeanResolver(new BeanFactoryResolver(beans));
        return parsed.getValue(context);
    }
}

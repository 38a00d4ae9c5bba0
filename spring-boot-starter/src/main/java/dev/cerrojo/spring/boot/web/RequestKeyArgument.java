package dev.cerrojo.spring.boot.web;

import dev.cerrojo.idempotency.RequestKey;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Gives a controller's method the key of the request: the operation is the HTTP method and the path's pattern, the caller is who is
 * authenticated, the key is the header {@code Idempotency-Key}, quoted or bare.
 *
 * @param caller tells who it is
 */
record RequestKeyArgument(CallerIdentity caller) implements HandlerMethodArgumentResolver {
    private static final String HEADER = "Idempotency-Key";

    /** A string of RFC 9651, of which quotes and backslashes are escaped; or the same without quotes. */
    private static final Pattern VALUE = Pattern.compile(
            "\\s*(?:\"((?:[\\x20-\\x21\\x23-\\x5B\\x5D-\\x7E]|\\\\[\"\\\\]){1,255})\"|([\\x21\\x23-\\x7E]{1,255}))\\s*");

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == RequestKey.class;
    }

    @Override
    public RequestKey resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest web,
            @Nullable WebDataBinderFactory binders) {
        HttpServletRequest request = Objects.requireNonNull(web.getNativeRequest(HttpServletRequest.class));
        String key = key(Optional.ofNullable(request.getHeader(HEADER)));
        String who = caller.of(request)
                .orElseThrow(() -> new ProblemException(
                        Problem.CALLER_UNKNOWN,
                        "Keys belong to callers: authenticate, so that it is known whose this is."));
        return RequestKey.of(operation(request), who, key);
    }

    static String key(Optional<String> header) {
        String given = header.orElseThrow(() -> new ProblemException(
                Problem.IDEMPOTENCY_KEY_MISSING,
                "This operation needs the header Idempotency-Key: give each request a key of its own, and"
                        + " repeat it with the same one."));
        Matcher value = VALUE.matcher(given);
        if (!value.matches()) {
            throw new ProblemException(
                    Problem.IDEMPOTENCY_KEY_INVALID,
                    "Idempotency-Key must be 1 to 255 visible characters, quoted or bare.");
        }
        return value.group(1) == null ? value.group(2) : value.group(1).replaceAll("\\\\(.)", "$1");
    }

    private static String operation(HttpServletRequest request) {
        return request.getMethod() + ' ' + request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
    }
}

package dev.cerrojo.backoffice.web;

import dev.cerrojo.invariant.InvariantViolatedException;
import java.net.URI;
import java.util.Map;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Answers with {@code application/problem+json}. A violated invariant is the same problem as the refusal of the sequential
 * case: callers cannot tell whether they came second by a millisecond or by a year.
 */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE) // before the starter's, which knows no types of this service
final class Problems {
    private static final Map<String, Refusal> OF_INVARIANT = Map.of(
            "platform_administrator", Refusal.LAST_PLATFORM_ADMINISTRATOR,
            "tenant_manager", Refusal.LAST_TENANT_MANAGER,
            "on_call_coverage", Refusal.LAST_DOCTOR_ON_CALL);

    @ExceptionHandler
    ProblemDetail refused(RefusedException refused) {
        return problem(refused.refusal(), refused.words());
    }

    @ExceptionHandler
    ProblemDetail violated(InvariantViolatedException violated) {
        Refusal refusal = OF_INVARIANT.get(violated.invariant().name());
        if (refusal == null) {
            throw violated;
        }
        return problem(refusal, refusal.detail());
    }

    private static ProblemDetail problem(Refusal refusal, String words) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(refusal.status(), words);
        problem.setType(URI.create(refusal.type()));
        problem.setTitle(refusal.title());
        return problem;
    }
}

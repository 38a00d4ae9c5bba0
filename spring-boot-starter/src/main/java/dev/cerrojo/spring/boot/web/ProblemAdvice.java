package dev.cerrojo.spring.boot.web;

import dev.cerrojo.RowGoneException;
import dev.cerrojo.StaleVersionException;
import dev.cerrojo.idempotency.FailedForGoodException;
import dev.cerrojo.idempotency.InProgressException;
import dev.cerrojo.idempotency.RequestMismatchException;
import dev.cerrojo.invariant.InvariantViolatedException;
import dev.cerrojo.lease.LeaseLostException;
import dev.cerrojo.lease.LeaseNotAcquiredException;
import dev.cerrojo.tx.DeadlineExceededException;
import dev.cerrojo.tx.OutcomeUnknownException;
import dev.cerrojo.tx.RetriesExhaustedException;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.time.Duration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers Cerrojo's exceptions. The application's own advice comes first where it has some. */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE - 10)
final class ProblemAdvice {
    private static final Duration SOON = Duration.ofSeconds(1);

    @ExceptionHandler
    ResponseEntity<ProblemDetail> violated(InvariantViolatedException e) {
        String rule = e.invariant().says();
        return answer(
                Problem.INVARIANT_VIOLATED,
                Problem.ofInvariant(e.invariant().name()),
                rule.isEmpty() ? e.invariant().name() : rule,
                Duration.ZERO);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> problem(ProblemException e) {
        return answer(e.problem(), e);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> inProgress(InProgressException e) {
        return answer(
                Problem.REQUEST_IN_PROGRESS,
                Problem.REQUEST_IN_PROGRESS.type(),
                "The same request is in progress: repeat it later.",
                e.retryAfter());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> mismatch(RequestMismatchException e) {
        return answer(
                Problem.IDEMPOTENCY_KEY_REUSED,
                Problem.IDEMPOTENCY_KEY_REUSED.type(),
                "The key was given to another request before: repeat that one, or give this one a key of its own.",
                Duration.ZERO);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> failed(FailedForGoodException e) {
        return answer(Problem.REQUEST_FAILED, e);
    }

    /** With {@code If-Match} it is that precondition that failed. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> stale(StaleVersionException e, HttpServletRequest request) {
        boolean conditional = request.getHeader(HttpHeaders.IF_MATCH) != null;
        return answer(conditional ? Problem.PRECONDITION_FAILED : Problem.STALE_VERSION, e);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> gone(RowGoneException e) {
        return answer(Problem.GONE, e);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> held(LeaseNotAcquiredException e) {
        return answer(Problem.LEASE_HELD, Problem.LEASE_HELD.type(), message(e), SOON);
    }

    @ExceptionHandler({RetriesExhaustedException.class, DeadlineExceededException.class, LeaseLostException.class})
    ResponseEntity<ProblemDetail> tryAgain() {
        return answer(Problem.TRY_AGAIN, Problem.TRY_AGAIN.type(), "Nothing was done: try again.", SOON);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> unknown(OutcomeUnknownException e) {
        return answer(
                Problem.OUTCOME_UNKNOWN,
                Problem.OUTCOME_UNKNOWN.type(),
                "The connection to the database was lost: look whether it was done before it is tried again.",
                Duration.ZERO);
    }

    private static ResponseEntity<ProblemDetail> answer(Problem problem, RuntimeException e) {
        return answer(problem, problem.type(), message(e), Duration.ZERO);
    }

    private static String message(RuntimeException e) {
        return String.valueOf(e.getMessage());
    }

    private static ResponseEntity<ProblemDetail> answer(Problem problem, URI type, String detail, Duration retryAfter) {
        ProblemDetail body = ProblemDetail.forStatusAndDetail(problem.status(), detail);
        body.setType(type);
        body.setTitle(problem.title());
        ResponseEntity.BodyBuilder answer = ResponseEntity.status(problem.status())
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .cacheControl(CacheControl.noStore());
        if (!retryAfter.isZero()) {
            answer.header(
                    HttpHeaders.RETRY_AFTER,
                    String.valueOf(retryAfter.plusMillis(999).toSeconds()));
        }
        return answer.body(body);
    }
}

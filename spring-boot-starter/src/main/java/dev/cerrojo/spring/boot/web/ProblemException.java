package dev.cerrojo.spring.boot.web;

import dev.cerrojo.CerrojoException;
import java.io.Serial;

/** A request that cannot be served as it is, for a reason that the client can do something about. */
public final class ProblemException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final Problem problem;

    ProblemException(Problem problem, String detail) {
        super(detail);
        this.problem = problem;
    }

    /** {@return what kind of problem it is} */
    public Problem problem() {
        return problem;
    }
}

package dev.cerrojo.guard;

import dev.cerrojo.CerrojoException;
import java.io.Serial;
import java.util.List;

/** Rows violate the invariant already, so its guard was not installed; nothing was changed. */
public final class ExistingViolationsException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final List<String> rows;

    ExistingViolationsException(String name, Violations violations, Throwable cause) {
        super(
                "invariant %s does not hold yet, so its guard was not installed; correct these rows, then install again:\n  %s"
                        .formatted(name, violations.inLines()),
                cause);
        this.rows = List.copyOf(violations.rows());
    }

    /** {@return the violating rows as JSON, at most 100} */
    public List<String> rows() {
        return rows;
    }
}

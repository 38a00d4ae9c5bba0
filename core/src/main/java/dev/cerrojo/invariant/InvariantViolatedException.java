package dev.cerrojo.invariant;

import dev.cerrojo.CerrojoException;
import java.io.Serial;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A transaction was refused because it would have left an invariant violated. It is rolled back; the data is as before.
 *
 * <p>This is the domain's answer, the same whether another transaction came first a moment or a year ago. Running the
 * same work again gives it again until the data changes.
 */
@SuppressWarnings("exports") // users need no JSpecify
public final class InvariantViolatedException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient Invariant invariant;
    private final transient List<Map<String, @Nullable Object>> violations;

    InvariantViolatedException(Invariant invariant, List<Map<String, @Nullable Object>> violations) {
        super(invariant.refusal().message() + ": " + violations);
        this.invariant = invariant;
        this.violations = violations;
    }

    InvariantViolatedException(Invariant invariant, Throwable refusal) {
        super(invariant.refusal().message(), refusal);
        this.invariant = invariant;
        this.violations = List.of();
    }

    /** {@return the invariant; its name and words are what a caller shows} */
    public Invariant invariant() {
        return invariant;
    }

    /**
     * {@return rows of {@link Invariant#violationSql}, column name → value, at most 20}
     *
     * <p>Empty when the database's own guard refused, whose error is then the cause.
     */
    public List<Map<String, @Nullable Object>> violations() {
        return violations;
    }
}

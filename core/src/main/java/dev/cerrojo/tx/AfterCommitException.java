package dev.cerrojo.tx;

import dev.cerrojo.CerrojoException;
import java.io.Serial;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transaction is committed, but actions that were to run after it threw. The first of what they threw is the cause, the
 * others are suppressed. Do not run the work again.
 */
@SuppressWarnings("exports") // users need no JSpecify
public final class AfterCommitException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient @Nullable Object result;

    AfterCommitException(List<Throwable> failures, int actions, @Nullable Object result) {
        super(
                "the transaction is committed, but %d of %d actions after it failed; do not run it again. The first failed with: %s"
                        .formatted(failures.size(), actions, failures.get(0)),
                failures.get(0));
        this.result = result;
        failures.stream().skip(1).forEach(this::addSuppressed);
    }

    /** {@return what the work returned; null also after serialization} */
    public @Nullable Object result() {
        return result;
    }
}

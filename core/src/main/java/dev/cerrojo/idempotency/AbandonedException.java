package dev.cerrojo.idempotency;

import dev.cerrojo.CerrojoException;
import java.io.Serial;

/** Somebody was at the same request or job, and gave no sign of life: whether it was done is for a person to find out. Nothing was done now. */
public final class AbandonedException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final String claim;

    AbandonedException(Object key, ClaimToken claim) {
        super(
                "%s was begun by somebody who gave no sign of life: find out whether it was done, then complete, fail or forget it with claim %s"
                        .formatted(key, claim.hex()));
        this.claim = claim.hex();
    }

    /** {@return by which it can be settled at the store} */
    public ClaimToken claim() {
        return new ClaimToken(claim);
    }
}

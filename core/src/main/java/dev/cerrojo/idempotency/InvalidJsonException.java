package dev.cerrojo.idempotency;

import dev.cerrojo.CerrojoException;
import java.io.Serial;

/** A text is not JSON of which a canonical form can be made. */
public final class InvalidJsonException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final int position;

    InvalidJsonException(int position, String problem) {
        super("at character %d of the JSON: %s".formatted(position + 1, problem));
        this.position = position;
    }

    /** {@return where, in characters from 0} */
    public int position() {
        return position;
    }
}

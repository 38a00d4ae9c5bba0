package dev.cerrojo.schema;

import dev.cerrojo.CerrojoException;
import java.io.Serial;

/** Cerrojo's own tables are missing, older or newer than this library needs; the message says what to do. */
public final class SchemaNotReadyException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    SchemaNotReadyException(String message) {
        super(message);
    }
}

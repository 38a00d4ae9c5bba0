package dev.cerrojo.tx;

import java.io.Serial;

/** Tells that an attempt was rolled back, and that another one may succeed. */
final class Again extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    private final String sqlState;
    private final Throwable failure;

    Again(String sqlState, Throwable failure) {
        super(null, failure, false, false);
        this.sqlState = sqlState;
        this.failure = failure;
    }

    String sqlState() {
        return sqlState;
    }

    Throwable failure() {
        return failure;
    }
}

package dev.cerrojo.etcd;

import java.io.IOException;
import java.io.Serial;

/** An answer that is an error. */
final class EtcdException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    /** gRPC's code of what is not there. */
    private static final long NOT_FOUND = 5;

    private final long code;

    EtcdException(String message, long code) {
        super(message);
        this.code = code;
    }

    boolean notFound() {
        return code == NOT_FOUND;
    }

    /** {@return whether another member may know better: it has no leader, is overloaded, stops, or was too slow} */
    boolean passing() {
        return switch ((int) code) {
            case 1, 4, 8, 10, 13, 14 -> true;
            default -> false;
        };
    }
}

package dev.cerrojo.lease;

import dev.cerrojo.CerrojoException;
import dev.cerrojo.internal.Heartbeat;
import java.io.Serial;
import java.util.List;

/** A lease is no longer held: what it protected may be somebody else's by now, so that the work must stop. */
public final class LeaseLostException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient List<LeaseScope> scopes;
    private final Reason reason;

    /** How it came to an end. */
    public enum Reason {
        /** Its time was over before it could be renewed: the store was out of reach, or the process stood still. */
        EXPIRED("its time was over before it could be renewed"),
        /** The store says that it is not held any more. */
        GONE("the store says that it is not held any more"),
        /** Somebody else has acquired it since, so that the fence in the database refused it. */
        FENCED("somebody else has acquired it since"),
        /** It was released by its holder. */
        RELEASED("it was released");

        private final String says;

        Reason(String says) {
            this.says = says;
        }

        static Reason of(Heartbeat.End end) {
            return end == Heartbeat.End.EXPIRED ? EXPIRED : GONE;
        }

        String says() {
            return says;
        }
    }

    LeaseLostException(List<LeaseScope> scopes, Reason reason, String message) {
        super(message);
        this.scopes = List.copyOf(scopes);
        this.reason = reason;
    }

    /** {@return what the lease was about} */
    public List<LeaseScope> scopes() {
        return scopes;
    }

    /** {@return how it came to an end} */
    public Reason reason() {
        return reason;
    }
}

package dev.cerrojo.spring;

/**
 * Is told of each call of a method that carries annotations of Cerrojo's: for meters and traces. All beans of this type are told, by
 * the thread that calls; what they throw comes out of the call.
 */
public interface CallObserver {
    /** Tells that a call begins. */
    Observed begin(ProtectedMethod method);

    /** A call that is going on. */
    @FunctionalInterface
    interface Observed {
        /**
         * Tells that it has ended.
         *
         * @param attempts how often the method ran; 0 when it did not
         */
        void end(CallOutcome outcome, int attempts);
    }
}

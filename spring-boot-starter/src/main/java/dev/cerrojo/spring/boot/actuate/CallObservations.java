package dev.cerrojo.spring.boot.actuate;

import dev.cerrojo.spring.CallObserver;
import dev.cerrojo.spring.ProtectedMethod;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Locale;

/** Makes each call an observation {@code cerrojo.call}, for traces, with the method, the outcome and the number of attempts. */
record CallObservations(ObservationRegistry registry) implements CallObserver {
    @Override
    public Observed begin(ProtectedMethod method) {
        Observation observation = Observation.createNotStarted("cerrojo.call", registry)
                .contextualName("cerrojo " + method.name())
                .lowCardinalityKeyValue("method", method.name())
                .lowCardinalityKeyValue("outcome", "none")
                .start();
        Observation.Scope scope = observation.openScope();
        return (outcome, attempts) -> {
            scope.close();
            observation.lowCardinalityKeyValue("outcome", outcome.name().toLowerCase(Locale.ROOT));
            observation.highCardinalityKeyValue("attempts", Integer.toString(attempts));
            observation.stop();
        };
    }
}

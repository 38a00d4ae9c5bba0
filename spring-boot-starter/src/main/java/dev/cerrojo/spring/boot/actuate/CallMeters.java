package dev.cerrojo.spring.boot.actuate;

import dev.cerrojo.spring.CallObserver;
import dev.cerrojo.spring.CallOutcome;
import dev.cerrojo.spring.ProtectedMethod;
import dev.cerrojo.spring.ProtectedMethods;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Counts and times calls: the timers {@code cerrojo.calls}, one for each annotated method and outcome, and the counters {@code
 * cerrojo.retries}, one for each annotated method. So the tags are bounded by the application's code; all meters are there from the
 * start.
 */
record CallMeters(MeterRegistry registry, ProtectedMethods methods)
        implements CallObserver, SmartInitializingSingleton {
    @Override
    public void afterSingletonsInstantiated() {
        for (ProtectedMethod method : methods.all()) {
            for (CallOutcome outcome : CallOutcome.values()) {
                timer(method, outcome);
            }
            registry.counter("cerrojo.retries", "method", method.name());
        }
    }

    @Override
    public Observed begin(ProtectedMethod method) {
        long start = System.nanoTime();
        return (outcome, attempts) -> {
            timer(method, outcome).record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
            if (attempts > 1) {
                registry.counter("cerrojo.retries", "method", method.name()).increment(attempts - 1);
            }
        };
    }

    private Timer timer(ProtectedMethod method, CallOutcome outcome) {
        return registry.timer(
                "cerrojo.calls",
                "method",
                method.name(),
                "outcome",
                outcome.name().toLowerCase(Locale.ROOT));
    }
}

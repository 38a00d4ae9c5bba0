package dev.cerrojo.spring.boot;

import dev.cerrojo.spring.NotWovenException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Lists at a failed start the annotations that would do nothing. */
final class NotWovenFailureAnalyzer extends AbstractFailureAnalyzer<NotWovenException> {
    @Override
    protected FailureAnalysis analyze(Throwable failed, NotWovenException cause) {
        return new FailureAnalysis(
                "Annotations of Cerrojo would not protect:\n\n  - " + String.join("\n  - ", cause.problems()),
                "Change each method as its line says. The application does not start, so that nobody relies on what does nothing.",
                cause);
    }
}

package dev.cerrojo.spring;

import dev.cerrojo.CerrojoException;
import java.io.Serial;
import java.util.List;

/**
 * Annotations of Cerrojo's that would do nothing, so that the application must not start: the method that carries one is not called
 * through Spring's proxy, or not always. Each problem names the class, the method, the place and the way out.
 */
public final class NotWovenException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient List<String> problems;

    NotWovenException(List<String> problems) {
        super("annotations of Cerrojo would not protect:\n- " + String.join("\n- ", problems));
        this.problems = List.copyOf(problems);
    }

    /** {@return one sentence or two for each, at least one} */
    public List<String> problems() {
        return problems;
    }
}

package dev.cerrojo.guard;

import dev.cerrojo.CerrojoException;
import dev.cerrojo.schema.Finding;
import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/** A guard of the invariant is there, but differs, and was not asked to be replaced; nothing was changed. */
public final class GuardDiffersException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient List<Finding> findings;

    GuardDiffersException(String name, List<Finding> findings) {
        super("a guard of invariant %s is installed, but differs; replace it if that is meant:\n  %s"
                .formatted(name, findings.stream().map(Finding::toString).collect(Collectors.joining("\n  "))));
        this.findings = List.copyOf(findings);
    }

    /** {@return in what it differs} */
    public List<Finding> findings() {
        return findings;
    }
}

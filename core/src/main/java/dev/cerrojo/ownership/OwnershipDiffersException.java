package dev.cerrojo.ownership;

import dev.cerrojo.CerrojoException;
import dev.cerrojo.schema.Finding;
import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/** A trigger of the ownership is there, but differs, and was not asked to be replaced; nothing was changed. */
public final class OwnershipDiffersException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient List<Finding> findings;

    OwnershipDiffersException(String table, List<Finding> findings) {
        super("an ownership of %s is installed, but differs; replace it if that is meant:\n  %s"
                .formatted(table, findings.stream().map(Finding::toString).collect(Collectors.joining("\n  "))));
        this.findings = List.copyOf(findings);
    }

    /** {@return in what it differs} */
    public List<Finding> findings() {
        return findings;
    }
}

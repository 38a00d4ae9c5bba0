package dev.cerrojo.version;

import dev.cerrojo.CerrojoException;
import dev.cerrojo.schema.Finding;
import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/** Version triggers of the table are there, but differ, and were not asked to be replaced; nothing was changed. */
public final class VersionTriggersDifferException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient List<Finding> findings;

    VersionTriggersDifferException(String table, List<Finding> findings) {
        super("version triggers of %s are installed, but differ; replace them if that is meant:\n  %s"
                .formatted(table, findings.stream().map(Finding::toString).collect(Collectors.joining("\n  "))));
        this.findings = List.copyOf(findings);
    }

    /** {@return in what they differ} */
    public List<Finding> findings() {
        return findings;
    }
}

package dev.cerrojo.explorer.jdbc;

/** What was asked of a race does not hold, or could not be decided. Its message shows the schedule. */
public final class InterleavingFailure extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final transient Findings findings;

    InterleavingFailure(Findings findings) {
        super(findings.text() + "\n");
        this.findings = findings;
    }

    /** {@return what was found} */
    public Findings findings() {
        return findings;
    }
}

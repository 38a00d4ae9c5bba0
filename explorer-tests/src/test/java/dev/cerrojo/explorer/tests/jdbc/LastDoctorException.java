package dev.cerrojo.explorer.tests.jdbc;

/** The last doctor of a shift may not leave. */
public final class LastDoctorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LastDoctorException(String doctor) {
        super(doctor + " is the last");
    }
}

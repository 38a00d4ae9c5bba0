package dev.cerrojo.explorer.stress;

/** Ends an operation whose check is not true. */
final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    Refused(String name) {
        super(name, null, false, false);
    }
}

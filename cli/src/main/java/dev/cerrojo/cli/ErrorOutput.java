package dev.cerrojo.cli;

/**
 * Shows errors.
 *
 * @param terminal where
 * @param stacktrace whether with their stack traces
 */
record ErrorOutput(Terminal terminal, boolean stacktrace) {
    void print(Failure failure, Throwable thrown) {
        terminal.err().println("error: " + failure.message());
        if (stacktrace) {
            thrown.printStackTrace(terminal.err());
        }
        terminal.err().flush();
    }
}

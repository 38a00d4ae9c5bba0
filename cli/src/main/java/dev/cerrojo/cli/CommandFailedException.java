package dev.cerrojo.cli;

/** Ends a command, or its work on one file, with a message that needs no stack trace. */
final class CommandFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    CommandFailedException(int exitCode, String message) {
        this(exitCode, message, null);
    }

    CommandFailedException(int exitCode, String message, @org.jspecify.annotations.Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    static CommandFailedException usage(String message) {
        return new CommandFailedException(ExitCode.USAGE, message);
    }

    int exitCode() {
        return exitCode;
    }
}

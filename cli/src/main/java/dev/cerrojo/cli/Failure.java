package dev.cerrojo.cli;

import dev.cerrojo.embedded.EmbeddedPostgresException;
import dev.cerrojo.explorer.database.ConnectionLostException;
import dev.cerrojo.explorer.database.ScenarioSqlException;
import dev.cerrojo.explorer.scenario.ScenarioException;
import dev.cerrojo.explorer.schedule.Diverged;
import dev.cerrojo.explorer.schedule.Unsettled;
import dev.cerrojo.guard.ExistingViolationsException;
import dev.cerrojo.guard.GuardDiffersException;
import dev.cerrojo.guard.GuardNotPossibleException;
import dev.cerrojo.invariant.InvalidInvariantException;
import dev.cerrojo.ownership.OwnershipDiffersException;
import dev.cerrojo.ownership.OwnershipNotPossibleException;
import dev.cerrojo.schema.SchemaNotReadyException;
import dev.cerrojo.schema.TablesBusyException;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Why a command, or its work on one file, failed: what the user is told.
 *
 * @param exitCode what it ends with
 * @param message what happened and what to do next
 */
record Failure(int exitCode, String message) {
    static Failure of(Throwable thrown) {
        if (thrown instanceof CommandFailedException failed) {
            return new Failure(failed.exitCode(), text(failed));
        } else if (thrown instanceof ScenarioException || thrown instanceof ScenarioSqlException) {
            return new Failure(ExitCode.USAGE, text(thrown));
        } else if (thrown instanceof Diverged || thrown instanceof Unsettled) {
            return new Failure(ExitCode.INCONCLUSIVE, text(thrown));
        } else if (thrown instanceof ConnectionLostException || thrown instanceof EmbeddedPostgresException) {
            return new Failure(ExitCode.ENVIRONMENT, text(thrown));
        } else if (thrown instanceof SQLException sql) {
            return server(sql);
        }
        return guarding(thrown).orElseGet(() -> internal(thrown));
    }

    private static Optional<Failure> guarding(Throwable thrown) {
        if (thrown instanceof ExistingViolationsException
                || thrown instanceof GuardDiffersException
                || thrown instanceof OwnershipDiffersException
                || thrown instanceof SchemaNotReadyException) {
            return Optional.of(new Failure(ExitCode.VIOLATED, text(thrown)));
        } else if (thrown instanceof GuardNotPossibleException
                || thrown instanceof OwnershipNotPossibleException
                || thrown instanceof InvalidInvariantException) {
            return Optional.of(new Failure(ExitCode.USAGE, text(thrown)));
        }
        return thrown instanceof TablesBusyException
                ? Optional.of(new Failure(ExitCode.ENVIRONMENT, text(thrown)))
                : Optional.empty();
    }

    private static Failure server(SQLException sql) {
        return new Failure(
                ExitCode.ENVIRONMENT,
                "the PostgreSQL server failed: " + text(sql) + " (SQLSTATE " + sql.getSQLState() + ")");
    }

    private static Failure internal(Throwable thrown) {
        return new Failure(
                ExitCode.INTERNAL,
                "internal error: " + thrown
                        + "\nThis is a bug in Cerrojo. Please report it, with the output of the same command"
                        + " with --stacktrace, and the file if you can.");
    }

    private static String text(Throwable thrown) {
        return String.valueOf(thrown.getMessage());
    }
}

package dev.cerrojo.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Has PostgreSQL refuse to commit a transaction that somebody else ends. */
public final class Doom {
    private Doom() {}

    /**
     * Makes the transaction fail by a statement.
     *
     * @param sqlState what that statement fails with
     * @param says its message, an ordinary text
     * @param reason gets the failure as a suppressed one
     */
    public static void fail(Connection connection, String sqlState, String says, Throwable reason) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = %s, MESSAGE = %s; END $$"
                    .formatted(Identifiers.quoteLiteral(sqlState), Identifiers.quoteLiteral(says)));
        } catch (SQLException asked) {
            reason.addSuppressed(asked);
        }
    }
}

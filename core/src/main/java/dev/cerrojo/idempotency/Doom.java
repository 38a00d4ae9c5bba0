package dev.cerrojo.idempotency;

import dev.cerrojo.tx.NestedTransactionException;
import dev.cerrojo.tx.Transaction;
import java.sql.SQLException;
import java.sql.Statement;

/** Sees to it that a transaction that somebody else ends is not committed. */
final class Doom {
    private static final String FAIL = """
            DO $$ BEGIN
              RAISE EXCEPTION USING ERRCODE = '25P02',
                MESSAGE = 'work that was to be done once has failed in this transaction, so it must be rolled back';
            END $$""";

    private Doom() {}

    /** Has PostgreSQL refuse to commit it, and tells its owner. */
    static void rollBack(Transaction joined, String why, Throwable reason) {
        try (Statement statement = joined.connection().createStatement()) {
            statement.execute(FAIL);
        } catch (SQLException asked) {
            reason.addSuppressed(asked);
        }
        try {
            joined.rollbackOnly(why);
        } catch (NestedTransactionException nobodyToTell) {
            reason.addSuppressed(nobodyToTell);
        }
    }
}

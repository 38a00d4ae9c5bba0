package dev.cerrojo.tx;

import java.sql.SQLException;
import java.util.Optional;

/** Where the transactions of a run come from. */
interface Origin {
    /**
     * Begins an attempt, or joins the transaction that is open.
     *
     * @throws TransactionFailedException when there is no connection
     * @throws NestedTransactionException when one is open, and the options say not to join it, or not like that
     */
    Begun begin(TransactionOptions options, Progress progress) throws SQLException;

    /** One of the two. Closing it ends the joining; an attempt ends by itself. */
    interface Begun extends AutoCloseable {
        default Optional<Transaction> joined() {
            return Optional.empty();
        }

        default Optional<Ending> ending() {
            return Optional.empty();
        }

        @Override
        default void close() throws SQLException {}
    }

    /** An attempt may begin. */
    record Own(Optional<Ending> ending) implements Begun {
        Own(Ending ending) {
            this(Optional.of(ending));
        }
    }
}

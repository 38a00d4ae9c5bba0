package dev.cerrojo.tx;

import java.sql.Connection;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs work in transactions of a data source, again when PostgreSQL asks for it.
 *
 * <pre>{@code
 * Transactions transactions = Transactions.over(pool);
 * long left = transactions.call(tx -> {
 *     try (PreparedStatement take =
 *             tx.connection().prepareStatement("UPDATE stock SET left = left - 1 WHERE item = ? RETURNING left")) {
 *         take.setString(1, item);
 *         try (ResultSet row = take.executeQuery()) {
 *             row.next();
 *             return row.getLong(1);
 *         }
 *     }
 * });
 * }</pre>
 *
 * <p><b>Again.</b> On SQLSTATE 40001 (serialization failure) and 40P01 (deadlock), and on nothing else, the attempt is rolled back and
 * the work is run again after a random wait, in a new transaction with a new snapshot. What counts is the first failure of the
 * transaction, as its statement saw it: work that catches a 40001 and then fails with 25P02, with an exception of its own, or
 * returns, is run again. A failure that was undone by a rollback to a savepoint is none.
 *
 * <p><b>Ends.</b> The work's exceptions come out as they are, but for {@link java.sql.SQLException}, which comes out as the cause of
 * {@link TransactionFailedException}; so does a COMMIT that is refused (a deferred constraint). In both cases nothing is committed.
 * When the connection is lost at COMMIT, the outcome is not known: {@link OutcomeUnknownException}, never run again by itself.
 *
 * <p>Immutable, for any number of threads. Each attempt takes a connection and gives it back as it was, before the waits and before
 * the actions after the commit. Without an isolation level and {@code readOnly} it costs no round trip but COMMIT.
 */
@SuppressWarnings("exports") // users need no JSpecify
public final class Transactions {
    private final Origin origin;
    private final TransactionOptions options;

    private Transactions(Origin origin, TransactionOptions options) {
        this.origin = origin;
        this.options = Objects.requireNonNull(options);
    }

    /** {@return transactions of a data source, with the {@linkplain TransactionOptions#defaults() defaults}} */
    public static Transactions over(DataSource dataSource) {
        return over(dataSource, TransactionOptions.defaults());
    }

    /** {@return transactions of a data source, run as the options say} */
    public static Transactions over(DataSource dataSource, TransactionOptions options) {
        return new Transactions(new DataSourceOrigin(Objects.requireNonNull(dataSource)), options);
    }

    /** {@return transactions that a framework begins and ends, run as the options say} */
    public static Transactions over(TransactionSource source, TransactionOptions options) {
        return new Transactions(new ManagedOrigin(Objects.requireNonNull(source)), options);
    }

    /**
     * {@return the transaction that somebody has begun on a connection, for what takes a {@link Transaction}}
     *
     * <p>Its owner ends it: nothing is run again or committed by it, it has no deadline, and {@link Transaction#afterCommit} and
     * {@link Transaction#rollbackOnly} are refused.
     */
    public static Transaction join(Connection open) {
        return joined(open, Optional.empty());
    }

    /** {@return the same, where actions after the commit and marks are passed on to who ends the transaction} */
    public static Transaction join(Connection open, TransactionOwner owner) {
        return joined(open, Optional.of(owner));
    }

    private static Transaction joined(Connection open, Optional<TransactionOwner> owner) {
        return new JoinedTransaction(new WatchedConnection(open, new Watch(new Progress(Optional.empty()))), owner);
    }

    /** {@return transactions of the same source, run as other options say} */
    public Transactions with(TransactionOptions other) {
        return new Transactions(origin, other);
    }

    /** {@return how they are run} */
    public TransactionOptions options() {
        return options;
    }

    /**
     * Runs work in a transaction and commits it.
     *
     * @param work may be run several times
     * @return what the work returned in the attempt that was committed
     * @throws X what the work threw; rolled back
     * @throws TransactionFailedException when a statement or COMMIT failed, or there was no connection; rolled back
     * @throws RetriesExhaustedException when the last attempt was refused with 40001 or 40P01, too; rolled back
     * @throws DeadlineExceededException when the time is over; rolled back
     * @throws TransactionRolledBackException when the work returned from a transaction that cannot, or must not, be committed
     * @throws TransactionInterruptedException when the thread was interrupted between two attempts; rolled back
     * @throws NestedTransactionException when a transaction was open already, and the options say not to join it
     * @throws OutcomeUnknownException when the connection was lost at COMMIT
     * @throws AfterCommitException when it is committed, but an action after it failed
     */
    public <T extends @Nullable Object, X extends Exception> T call(TransactionWork<T, X> work) throws X {
        return new Run(origin, options).call(work);
    }

    /**
     * Runs work that gives no result; else as {@link #call}.
     *
     * @param work may be run several times
     * @throws X what the work threw; rolled back
     */
    public <X extends Exception> void run(TransactionAction<X> work) throws X {
        this.<Boolean, X>call(transaction -> {
            work.run(transaction);
            return true;
        });
    }
}

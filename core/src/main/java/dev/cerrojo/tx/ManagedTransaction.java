package dev.cerrojo.tx;

import java.sql.Connection;
import java.sql.SQLException;

/** A transaction that a {@link TransactionSource} has begun, for the one attempt that it was begun for. Used by one thread. */
public interface ManagedTransaction {
    /** {@return the connection that all work in the transaction uses; its owner gives it back} */
    Connection connection();

    /** {@return the same connection, but that nothing is flushed for a statement on it} */
    default Connection unflushed() {
        return connection();
    }

    /**
     * {@return whether it is known, without a round trip, that no statement has doomed the transaction}
     *
     * <p>PostgreSQL answers the COMMIT of one that is doomed with a rollback, and the driver does not say so: unless this is known,
     * PostgreSQL is asked before COMMIT.
     */
    default boolean isKnownWell() {
        return false;
    }

    /**
     * Sends what the framework has kept back until now; called before {@link #commit}.
     *
     * @throws SQLException when a statement failed; so does any unchecked exception of the framework's
     */
    default void flush() throws SQLException {}

    /**
     * Commits it and gives its connection back. When it throws, {@link #outcome} tells what came of it.
     *
     * @throws SQLException when it failed; so does any unchecked exception of the framework's
     */
    void commit() throws SQLException;

    /** {@return what is known after {@link #commit} has thrown} */
    Outcome outcome();

    /**
     * Rolls it back and gives its connection back; does nothing when it has ended.
     *
     * @throws SQLException when it cannot; the connection is not used again then
     */
    void rollback() throws SQLException;

    /** What came of a COMMIT. */
    enum Outcome {
        /** It is committed; what threw came after that. */
        COMMITTED,
        /** COMMIT was not sent. */
        ROLLED_BACK,
        /** The session lives, so that an SQLSTATE in what was thrown is the answer. */
        ANSWERED,
        /** The session is lost, or nobody can tell. */
        UNKNOWN
    }
}

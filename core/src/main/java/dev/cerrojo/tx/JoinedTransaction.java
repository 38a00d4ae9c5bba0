package dev.cerrojo.tx;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** A transaction that somebody else began, and will end. */
record JoinedTransaction(WatchedConnection watched, Optional<TransactionOwner> owner) implements Transaction {
    @Override
    public Connection connection() {
        return watched.proxy();
    }

    @Override
    public Isolation isolation() throws SQLException {
        return Isolation.of(connection());
    }

    @Override
    public boolean isJoined() {
        return true;
    }

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public Optional<Duration> remaining() {
        return watched.watch().progress().remaining();
    }

    @Override
    public void afterCommit(Runnable action) {
        owner("afterCommit").afterCommit(action);
    }

    @Override
    public void rollbackOnly(String reason) {
        owner("rollbackOnly").rollbackOnly(reason);
    }

    private TransactionOwner owner(String call) {
        return owner.orElseThrow(() -> new NestedTransactionException(
                call + " needs to know who ends the transaction, which was joined: give its TransactionOwner to"
                        + " Transactions.join, or let Transactions begin it"));
    }

    /** Refuses what would have to be asked for when it begins. */
    void failUnless(TransactionOptions options) throws SQLException {
        if (options.outer() == OuterTransaction.REFUSE) {
            throw refused("to join it, set TransactionOptions.outer to JOIN; else give a data source that hands out"
                    + " connections of its own");
        }
        if (options.readOnly()) {
            throw refused("it cannot be joined read only: leave readOnly out, or let it begin read only");
        }
        if (options.isolation().isPresent()) {
            failUnless(options.isolation().orElseThrow());
        }
    }

    private void failUnless(Isolation wanted) throws SQLException {
        Isolation present = isolation();
        if (present != wanted) {
            throw refused("it cannot be joined at %s, since it is at %s: let its owner begin it so"
                    .formatted(wanted.sql(), present.sql()));
        }
    }

    private static NestedTransactionException refused(String why) {
        return new NestedTransactionException(
                "a transaction is open already on the connection that the data source handed out; " + why);
    }
}

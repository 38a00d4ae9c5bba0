package dev.cerrojo.tx;

/** Ends a transaction that was joined: what a framework that began it implements. */
public interface TransactionOwner {
    /** Runs an action once the transaction is committed, and never if it is not. */
    void afterCommit(Runnable action);

    /** Sees to it that the transaction is not committed. Called by any thread. */
    void rollbackOnly(String reason);
}

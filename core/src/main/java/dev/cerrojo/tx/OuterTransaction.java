package dev.cerrojo.tx;

/** What is done when the data source hands out a connection on which a transaction is open already. */
public enum OuterTransaction {
    /** It is refused with {@link NestedTransactionException}. */
    REFUSE,
    /** The work becomes part of it: nothing is committed, rolled back or run again; that is its owner's to do. */
    JOIN
}

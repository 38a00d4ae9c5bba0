package dev.cerrojo.idempotency;

import dev.cerrojo.internal.Doom;
import dev.cerrojo.internal.SqlFailures;
import dev.cerrojo.tx.NestedTransactionException;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionWork;
import java.sql.SQLException;

/**
 * Claim, work and result in one transaction. While it is open, the unique key keeps a repetition waiting; once it is committed, that
 * one finds the result; if it is rolled back, that one has the claim. There is no state in between that a crash could leave.
 */
record OneCommit<K, R>(ClaimColumns<K, R> columns, IdempotencySettings settings) {
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String IN_FAILED_TRANSACTION = "25P02";
    private static final String DOOMED =
            "work that was to be done once has failed in this transaction, so it must be rolled back";

    /**
     * What came of it.
     *
     * @param replayed whether it was done before
     */
    record Outcome<R>(R result, boolean replayed) {}

    <X extends Exception> Outcome<R> in(Transaction transaction, K key, RequestHash request, TransactionWork<R, X> work)
            throws X, SQLException {
        ClaimTable<K, R, SQLException> table = new ClaimTable<>(columns, ClaimSql.in(transaction.connection()));
        ClaimToken token = ClaimToken.random();
        ClaimAttempt<R> attempt = claim(table, key, request, token);
        if (!(attempt instanceof ClaimAttempt.Claimed)) {
            return new Outcome<>(Settled.result(key, attempt), true);
        }
        R result = done(transaction, key, work);
        if (!table.complete(key, token, result, settings.retention())) {
            transaction.rollbackOnly(
                    "the claim of %s was changed by something else in this transaction".formatted(key));
        }
        return new Outcome<>(result, false);
    }

    /** Whoever swallows what the work throws must not commit a claim without a result, and half of an effect. */
    private static <R, X extends Exception> R done(Transaction transaction, Object key, TransactionWork<R, X> work)
            throws X, SQLException {
        try {
            return work.run(transaction);
        } catch (Throwable thrown) {
            if (transaction.isJoined()) {
                doom(transaction, "the work of %s has thrown".formatted(key), thrown);
            }
            throw thrown;
        }
    }

    private static void doom(Transaction joined, String why, Throwable thrown) {
        Doom.fail(joined.connection(), IN_FAILED_TRANSACTION, DOOMED, thrown);
        try {
            joined.rollbackOnly(why);
        } catch (NestedTransactionException nobodyToTell) {
            thrown.addSuppressed(nobodyToTell);
        }
    }

    private ClaimAttempt<R> claim(ClaimTable<K, R, SQLException> table, K key, RequestHash request, ClaimToken token)
            throws SQLException {
        try {
            return table.claim(key, request, token, ClaimTerms.of(settings), settings.waitUpTo());
        } catch (SQLException failure) {
            if (SqlFailures.sqlStates(failure).contains(LOCK_NOT_AVAILABLE)) {
                InProgressException inProgress = new InProgressException(key, settings.waitUpTo());
                inProgress.initCause(failure);
                throw inProgress;
            }
            throw failure;
        }
    }
}

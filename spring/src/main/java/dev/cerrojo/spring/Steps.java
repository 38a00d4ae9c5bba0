package dev.cerrojo.spring;

import dev.cerrojo.StaleVersionException;
import dev.cerrojo.lease.Lease;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionRolledBackException;
import dev.cerrojo.tx.TransactionWork;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.OptimisticLockingFailureException;

/** What is done in a transaction before and after the work. */
final class Steps {
    /** In this language the transactions are told to run the work again. */
    private static final String SERIALIZATION_FAILURE = "40001";

    private static final String OF_JPA = "jakarta.persistence.OptimisticLockException";

    private Steps() {}

    static <T extends @Nullable Object> TransactionWork<T, Exception> of(
            ProtectedMethod method, TransactionWork<T, Exception> work) {
        TransactionWork<T, Exception> acting = method.actor().isEmpty()
                ? work
                : transaction -> {
                    transaction.actAs(method.actor().orElseThrow());
                    return work.run(transaction);
                };
        return method.retry().isPresent() ? retried(acting) : acting;
    }

    /** The lease's own way of running work would be another transaction. */
    static <T extends @Nullable Object> TransactionWork<T, Exception> fenced(
            Lease lease, TransactionWork<T, Exception> work) {
        return transaction -> {
            lease.fence(transaction);
            T result = work.run(transaction);
            lease.ensureHeld();
            return result;
        };
    }

    private static <T extends @Nullable Object> TransactionWork<T, Exception> retried(
            TransactionWork<T, Exception> work) {
        return transaction -> {
            try {
                T result = work.run(transaction);
                flush(transaction);
                return result;
            } catch (TransactionRolledBackException marked) {
                throw marked;
            } catch (RuntimeException failure) {
                throw isStale(failure)
                        ? new SQLException(failure.getMessage(), SERIALIZATION_FAILURE, failure)
                        : failure;
            }
        };
    }

    /** So that JPA compares versions within the work. */
    private static void flush(Transaction transaction) throws SQLException {
        transaction.connection().createStatement().close();
    }

    private static boolean isStale(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof OptimisticLockingFailureException
                    || cause instanceof StaleVersionException
                    || cause.getClass().getName().equals(OF_JPA)) {
                return true;
            }
        }
        return false;
    }
}

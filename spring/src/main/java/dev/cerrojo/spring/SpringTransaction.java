package dev.cerrojo.spring;

import dev.cerrojo.tx.ManagedTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** A transaction that was begun by a transaction manager. */
final class SpringTransaction implements ManagedTransaction {
    private static final int VALID_SECONDS = 5;

    private static final boolean DRIVER_IS_THERE =
            ClassUtils.isPresent("org.postgresql.core.BaseConnection", SpringTransaction.class.getClassLoader());

    private final PlatformTransactionManager manager;
    private final TransactionStatus status;
    private final Connection bound;
    private boolean committing;
    private Outcome outcome = Outcome.UNKNOWN;

    private SpringTransaction(PlatformTransactionManager manager, TransactionStatus status, Connection bound) {
        this.manager = manager;
        this.status = status;
        this.bound = bound;
    }

    static SpringTransaction of(PlatformTransactionManager manager, TransactionStatus status, Connection bound) {
        SpringTransaction transaction = new SpringTransaction(manager, status, bound);
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(transaction.new Completion());
        }
        return transaction;
    }

    @Override
    public Connection connection() {
        return FlushingConnection.of(bound, status);
    }

    @Override
    public Connection unflushed() {
        return bound;
    }

    @Override
    public boolean isKnownWell() {
        return DRIVER_IS_THERE && DriverState.isOpen(bound);
    }

    @Override
    public void flush() {
        status.flush();
    }

    @Override
    public void commit() {
        committing = true;
        try {
            manager.commit(status);
        } catch (UnexpectedRollbackException marked) {
            outcome = Outcome.ROLLED_BACK;
            throw marked;
        }
    }

    /** Comes before the connection is given back, so that it can still be asked. */
    private final class Completion implements TransactionSynchronization {
        @Override
        public void afterCompletion(int how) {
            if (how == STATUS_COMMITTED) {
                outcome = Outcome.COMMITTED;
            } else if (committing) {
                outcome = isAlive() ? Outcome.ANSWERED : Outcome.UNKNOWN;
            }
        }
    }

    private boolean isAlive() {
        try {
            return bound.isValid(VALID_SECONDS);
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }

    @Override
    public Outcome outcome() {
        return outcome;
    }

    @Override
    public void rollback() {
        if (!status.isCompleted()) {
            manager.rollback(status);
        }
    }
}

package dev.cerrojo.spring;

import dev.cerrojo.tx.TransactionOwner;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Whoever ends a transaction of Spring's that was joined.
 *
 * @param joined takes part in it, and ends nothing
 */
record SpringTransactionOwner(PlatformTransactionManager manager, TransactionStatus joined)
        implements TransactionOwner {
    @Override
    public void afterCommit(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                action.run();
            }
        });
    }

    /** To roll back what only takes part marks the whole. */
    @Override
    public void rollbackOnly(String reason) {
        if (!joined.isCompleted()) {
            manager.rollback(joined);
        }
    }
}

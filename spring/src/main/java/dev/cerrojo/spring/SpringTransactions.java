package dev.cerrojo.spring;

import dev.cerrojo.invariant.NotProtectedException;
import dev.cerrojo.tx.ManagedTransaction;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionOptions;
import dev.cerrojo.tx.TransactionSource;
import dev.cerrojo.tx.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Transactions that Spring begins and ends: {@code JdbcTemplate}, repositories and {@code @Transactional} methods that are called
 * within one are part of it, on the same connection.
 *
 * <pre>{@code
 * Transactions transactions = SpringTransactions.over(transactionManager, dataSource, TransactionOptions.defaults());
 * transactions.run(tx -> jdbcTemplate.update("UPDATE stock SET left = left - 1 WHERE item = ?", item));
 * }</pre>
 *
 * <p>What JPA has not sent yet is flushed before each statement on {@link Transaction#connection}, and before COMMIT. The deadline is
 * also Spring's timeout, in whole seconds.
 */
public final class SpringTransactions implements TransactionSource {
    private final PlatformTransactionManager manager;
    private final DataSource dataSource;

    private SpringTransactions(PlatformTransactionManager manager, DataSource dataSource) {
        this.manager = manager;
        this.dataSource = dataSource instanceof TransactionAwareDataSourceProxy proxy
                ? Optional.ofNullable(proxy.getTargetDataSource()).orElse(dataSource)
                : dataSource;
    }

    /**
     * {@return transactions of a manager, run as the options say}
     *
     * @param manager a {@code DataSourceTransactionManager}, a {@code JpaTransactionManager}, or another one that has the
     *     connection bound to the thread
     * @param dataSource the manager's data source
     */
    public static Transactions over(
            PlatformTransactionManager manager, DataSource dataSource, TransactionOptions options) {
        return Transactions.over(new SpringTransactions(manager, dataSource), options);
    }

    @Override
    public Optional<Transaction> open() throws SQLException {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            return Optional.empty();
        }
        try {
            TransactionStatus joined = manager.getTransaction(
                    new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_MANDATORY));
            return Optional.of(Transactions.join(
                    FlushingConnection.of(connection(), joined), new SpringTransactionOwner(manager, joined)));
        } catch (IllegalTransactionStateException noneOfThisManager) {
            return Optional.empty();
        }
    }

    @Override
    public ManagedTransaction begin(TransactionOptions options, Optional<Duration> remaining) throws SQLException {
        TransactionStatus status = begun(definition(options, remaining));
        try {
            return SpringTransaction.of(manager, status, connection());
        } catch (RuntimeException e) {
            manager.rollback(status);
            throw e;
        }
    }

    private TransactionStatus begun(TransactionDefinition definition) throws SQLException {
        try {
            return manager.getTransaction(definition);
        } catch (CannotCreateTransactionException e) {
            throw new SQLException(e.getMessage(), e);
        }
    }

    private static TransactionDefinition definition(TransactionOptions options, Optional<Duration> remaining) {
        DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
        definition.setName("cerrojo");
        definition.setReadOnly(options.readOnly());
        remaining.ifPresent(
                left -> definition.setTimeout((int) left.plusMillis(999).toSeconds()));
        return definition;
    }

    /** Any other connection would be outside of the transaction. */
    private Connection connection() {
        @Nullable Object bound = TransactionSynchronizationManager.getResource(dataSource);
        if (bound instanceof ConnectionHolder holder) {
            return holder.getConnection();
        }
        throw new NotProtectedException(
                "%s has begun a transaction, but not on a connection of %s, so nothing would be protected: give the manager and its own data source"
                                .formatted(manager, dataSource)
                        + " (a JpaTransactionManager needs its dataSource and jpaDialect set)");
    }
}

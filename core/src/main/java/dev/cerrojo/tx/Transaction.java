package dev.cerrojo.tx;

import dev.cerrojo.Actor;
import dev.cerrojo.internal.ActorSetting;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * A transaction that is open, as the work in it sees it.
 *
 * <p>Used by the thread that runs the work, but for {@link #rollbackOnly}, which any thread may call.
 *
 * <pre>{@code
 * transactions.run(tx -> {
 *     try (PreparedStatement order = tx.connection().prepareStatement("INSERT INTO orders (item) VALUES (?)")) {
 *         order.setString(1, item);
 *         order.executeUpdate();
 *     }
 *     tx.afterCommit(() -> mail.confirm(item));
 * });
 * }</pre>
 */
public sealed interface Transaction permits OwnTransaction, JoinedTransaction {
    /**
     * {@return the connection of the transaction}
     *
     * <p>Each failure of a statement is noted on it. What would end the transaction ({@code commit}, {@code rollback} but to
     * a savepoint, {@code close}, {@code setAutoCommit}, and {@code COMMIT} and its like as SQL) and what would change the
     * session for whoever has the connection next ({@code setTransactionIsolation}, {@code setReadOnly}) is refused with
     * {@link TransactionControlException}. {@code unwrap} finds the driver's connection, which is not watched.
     */
    Connection connection();

    /**
     * {@return the level that it has, asked of PostgreSQL each time; one round trip, and no snapshot is taken}
     *
     * @throws SQLException when PostgreSQL cannot tell, since the transaction has failed, say
     */
    Isolation isolation() throws SQLException;

    /** {@return which attempt at the work this is, from 1; 1 in a transaction that was joined} */
    int attempt();

    /** {@return whether somebody else has begun it, and will end it} */
    boolean isJoined();

    /** {@return the time until the deadline, never negative; empty without a deadline} */
    Optional<Duration> remaining();

    /**
     * Has an action run once the transaction is committed: never after a rollback, nor for an attempt that is run again, nor
     * when the outcome is unknown. Actions run in the order in which they were given, on the thread that runs the work, when
     * the connection has been given back.
     *
     * <p>One that throws keeps none of the others from running; then {@link AfterCommitException} tells, which holds the result.
     *
     * @throws NestedTransactionException in a transaction that was joined without an {@link TransactionOwner owner}: nobody
     *     knows when it is committed
     */
    void afterCommit(Runnable action);

    /**
     * Marks the transaction: it ends rolled back, with {@link TransactionRolledBackException} if the work returns. It is not
     * run again. Any thread may call it; once COMMIT has been sent it is too late.
     *
     * @param reason why, for the message
     * @throws NestedTransactionException in a transaction that was joined without an {@link TransactionOwner owner}
     */
    void rollbackOnly(String reason);

    /**
     * Tells the database who acts, from here to the end of the transaction; one round trip, which takes no snapshot.
     *
     * @throws SQLException when the transaction has failed, say
     */
    default void actAs(Actor actor) throws SQLException {
        ActorSetting.say(connection(), actor);
    }
}

package dev.cerrojo.lease;

import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionAction;
import dev.cerrojo.tx.TransactionWork;
import dev.cerrojo.tx.Transactions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lease that was acquired. It is renewed until it is released, or lost.
 *
 * <p><b>Loss.</b> It is lost when the store says so, and at the latest when its time is over by the clock of this process that only goes
 * forward, counted from before the request was sent: that needs no network. Then, once: the thread in {@link #run} is interrupted (if
 * the settings say so), transactions that were {@linkplain #fence fenced} are marked for rollback, and the listeners are called. From
 * that moment on {@link #ensureHeld} throws. A lost lease stays lost.
 *
 * <p><b>A process that stands still</b> cannot notice anything. What keeps it from writing what somebody else has changed meanwhile is
 * the fence: write in {@link #runFenced}, and read after the lease was acquired.
 *
 * <p>Used by any number of threads; it belongs to none. {@link #close} is {@link #release}.
 */
@SuppressWarnings("exports") // users need no JSpecify
public sealed interface Lease extends AutoCloseable permits HeldLease {
    /** {@return what it is about, sorted by entity and group, each once} */
    List<LeaseScope> scopes();

    /**
     * {@return the fencing token: higher than that of each lease before that excluded this one}
     *
     * <p>For a resource outside of the database, which must refuse a lower one than it has seen. Drawn from PostgreSQL when fencing is
     * on, else from the store: then it only grows as long as the store remembers.
     *
     * @throws IllegalStateException when the lease is of several entities: each has a token of its own
     */
    long token();

    /**
     * {@return the fencing token of one entity of the lease; else as {@link #token()}}
     *
     * @throws IllegalArgumentException when the lease has nothing of this entity
     */
    long token(String entity);

    /** {@return whether it is held, as far as this process can tell; asks nobody} */
    boolean isHeld();

    /** {@return how long it is held without another renewal; zero when it is not held} */
    Duration remaining();

    /**
     * Does nothing while it is held; asks nobody.
     *
     * @throws LeaseLostException when it is lost or released
     */
    void ensureHeld();

    /**
     * Has a listener told when the lease is lost: once, on a thread of its own, with the reason. At once when it is lost already; never
     * when it was released before.
     */
    void onLoss(Consumer<LeaseLostException> listener);

    /**
     * Runs work on this thread, which is interrupted when the lease is lost. The lease is not released at its end.
     *
     * @throws X what the work threw
     * @throws LeaseLostException when the lease is lost before the work has ended, whatever the work made of it. What the work threw then
     *     is suppressed in it
     */
    default <X extends Exception> void run(LeaseAction<X> work) throws X {
        this.<Boolean, X>call(lease -> {
            work.run(lease);
            return true;
        });
    }

    /**
     * Runs work that gives a result; else as {@link #run}.
     *
     * @return what the work returned
     * @throws X what the work threw
     * @throws LeaseLostException when the lease is lost before the work has ended
     */
    <T extends @Nullable Object, X extends Exception> T call(LeaseWork<T, X> work) throws X;

    /**
     * Runs work in a transaction that commits only while nobody else has acquired what the lease is about: {@link #fence} is its first
     * statement, in each attempt.
     *
     * @throws X what the work threw; rolled back
     * @throws LeaseLostException when the lease is lost before COMMIT is sent; rolled back
     * @throws dev.cerrojo.CerrojoException as {@link Transactions#call} throws it
     */
    default <X extends Exception> void runFenced(Transactions transactions, TransactionAction<X> work) throws X {
        this.<Boolean, X>callFenced(transactions, transaction -> {
            work.run(transaction);
            return true;
        });
    }

    /**
     * Runs work that gives a result; else as {@link #runFenced}.
     *
     * @return what the work returned, once it is committed
     * @throws X what the work threw; rolled back
     * @throws LeaseLostException when the lease is lost before COMMIT is sent; rolled back
     */
    <T extends @Nullable Object, X extends Exception> T callFenced(
            Transactions transactions, TransactionWork<T, X> work) throws X;

    /**
     * Binds a transaction to the lease: it can only be committed if nobody else has acquired what the lease is about, and until it ends
     * nobody will. One round trip; the fence's rows are locked until the transaction ends. Right at every isolation level.
     *
     * <p>Comes before the protected value is read in this transaction. What was read earlier under the same lease is as good: the fence
     * was raised when the lease was acquired.
     *
     * <p>While the transaction stands idle for longer than a lease lasts, PostgreSQL ends its session
     * ({@code idle_in_transaction_session_timeout}, for this transaction only), so that a process that stands still does not keep
     * others out.
     *
     * @param transaction of the database that the fence is in
     * @throws LeaseLostException when it is lost or released, or somebody else has acquired it since; the transaction is marked for rollback
     * @throws IllegalStateException when fencing is not on
     * @throws SQLException when the statement fails: 40001 above READ COMMITTED, when the fence was raised after the snapshot
     */
    void fence(Transaction transaction) throws SQLException;

    /**
     * Gives it up, so that others can have it at once. Any number of times. A store that cannot be reached is asked again in the
     * background until the lease ends by itself; that is logged, not thrown.
     */
    void release();

    /** Releases it. */
    @Override
    default void close() {
        release();
    }
}

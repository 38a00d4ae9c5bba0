package dev.cerrojo.idempotency;

import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionWork;
import dev.cerrojo.tx.Transactions;
import java.sql.SQLException;

/**
 * Requests that take effect once, where the effect is in the database: the claim of the key, the work and the response are one commit.
 *
 * <pre>{@code
 * IdempotentRequests requests = IdempotentRequests.with(IdempotencySettings.defaults());
 *
 * Reply reply = requests.call(transactions, RequestKey.of("place-order", caller, key), RequestHash.ofBytes(body), tx -> {
 *     long order = insert(tx, body);
 *     return StoredResponse.json(201, "{\"order\":" + order + "}");
 * });
 * }</pre>
 *
 * <p><b>What it gives.</b> Of any number of requests with one key, at once or later, one takes effect, and all others get its response.
 * A crash, or an answer that is lost, at any point leaves either all of it or nothing. What the work throws rolls everything back, so
 * that the same key may be tried again.
 *
 * <p><b>What it costs.</b> Two statements, and no commit, more than the work alone. A repetition that comes meanwhile waits for
 * the first one, on a connection, as long as the settings say.
 *
 * <p>For effects elsewhere take {@link PhasedRequests}. The tables are those of {@link dev.cerrojo.schema.Schema}. Right at every
 * isolation level. Immutable, for any number of threads.
 */
public final class IdempotentRequests {
    private final OneCommit<RequestKey, StoredResponse> oneCommit;
    private final SometimesPurged purge;

    private IdempotentRequests(IdempotencySettings settings) {
        this.oneCommit = new OneCommit<>(RequestColumns.DEFAULT, settings);
        this.purge = new SometimesPurged();
    }

    /** {@return requests that are kept as the settings say} */
    public static IdempotentRequests with(IdempotencySettings settings) {
        return new IdempotentRequests(settings);
    }

    /**
     * Does the work of a request once.
     *
     * @param work gives the response that is kept, for which a server error will not do; may be run several times, of which one is
     *     committed
     * @return the work's response, or the one of before
     * @throws X what the work threw; rolled back
     * @throws InProgressException when the first one was not over in time
     * @throws RequestMismatchException when the key was another request's
     * @throws FailedForGoodException when it was given up before
     * @throws dev.cerrojo.CerrojoException as {@link Transactions#call} throws it
     */
    public <X extends Exception> Reply call(
            Transactions transactions, RequestKey key, RequestHash request, TransactionWork<StoredResponse, X> work)
            throws X {
        Reply reply = transactions.call(transaction -> join(transaction, key, request, work));
        purge.after(transactions, RequestColumns.DEFAULT);
        return reply;
    }

    /**
     * Does the work of a request once, in a transaction that is open; else as {@link #call}. Its owner commits.
     *
     * @throws X what the work threw; the transaction must be rolled back
     * @throws InProgressException when the first one was not over in time; the transaction can only be rolled back
     * @throws SQLException when a statement fails; the transaction must be rolled back
     */
    public <X extends Exception> Reply join(
            Transaction open, RequestKey key, RequestHash request, TransactionWork<StoredResponse, X> work)
            throws X, SQLException {
        OneCommit.Outcome<StoredResponse> outcome = oneCommit.in(open, key, request, work);
        return new Reply(outcome.result(), outcome.replayed());
    }
}

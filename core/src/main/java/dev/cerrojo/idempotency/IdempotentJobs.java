package dev.cerrojo.idempotency;

import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionAction;
import dev.cerrojo.tx.Transactions;
import java.sql.SQLException;

/**
 * Jobs that are done once, where what they do is in the database: claim, work and the mark that it is done are one commit.
 *
 * <pre>{@code
 * IdempotentJobs jobs = IdempotentJobs.with(IdempotencySettings.defaults());
 *
 * jobs.run(transactions, JobKey.of("send-invoice", "invoice/2026-17"), RequestHash.ofBytes(payload), tx -> write(tx, payload));
 * }</pre>
 *
 * <p>Else as {@link IdempotentRequests}, whose keys and clean-up are apart.
 */
public final class IdempotentJobs {
    private final OneCommit<JobKey, Done> oneCommit;
    private final SometimesPurged purge;

    private IdempotentJobs(IdempotencySettings settings) {
        this.oneCommit = new OneCommit<>(JobColumns.DEFAULT, settings);
        this.purge = new SometimesPurged();
    }

    /** {@return jobs that are kept as the settings say} */
    public static IdempotentJobs with(IdempotencySettings settings) {
        return new IdempotentJobs(settings);
    }

    /**
     * Does a job once.
     *
     * @param payload what the job is given: the same key with another one is a mistake
     * @param work may be run several times, of which one is committed
     * @return whether it was done now; false when it was done before
     * @throws X what the work threw; rolled back
     * @throws InProgressException when the first one was not over in time
     * @throws RequestMismatchException when the key was another job's
     * @throws FailedForGoodException when it was given up before
     * @throws dev.cerrojo.CerrojoException as {@link Transactions#call} throws it
     */
    public <X extends Exception> boolean run(
            Transactions transactions, JobKey key, RequestHash payload, TransactionAction<X> work) throws X {
        boolean isDoneNow = transactions.call(transaction -> join(transaction, key, payload, work));
        purge.after(transactions, JobColumns.DEFAULT);
        return isDoneNow;
    }

    /**
     * Does a job once, in a transaction that is open; else as {@link #run}. Its owner commits.
     *
     * @throws X what the work threw; the transaction must be rolled back
     * @throws InProgressException when the first one was not over in time; the transaction can only be rolled back
     * @throws SQLException when a statement fails; the transaction must be rolled back
     */
    public <X extends Exception> boolean join(
            Transaction open, JobKey key, RequestHash payload, TransactionAction<X> work) throws X, SQLException {
        OneCommit.Outcome<Done> outcome = oneCommit.<X>in(open, key, payload, transaction -> {
            work.run(transaction);
            return Done.DONE;
        });
        return !outcome.replayed();
    }
}

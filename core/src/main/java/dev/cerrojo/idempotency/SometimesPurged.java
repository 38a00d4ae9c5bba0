package dev.cerrojo.idempotency;

import dev.cerrojo.CerrojoException;
import dev.cerrojo.tx.Transactions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Removes what is long over, a bounded amount at a time, beside the work of those who use the table. */
final class SometimesPurged {
    static final int MOST = 1000;
    private static final long BETWEEN_NANOS = Duration.ofMinutes(10).toNanos();

    private final AtomicLong last = new AtomicLong(System.nanoTime());

    /** {@return whether it is time; true for one who asks only} */
    boolean isTime() {
        long now = System.nanoTime();
        long before = last.get();
        return now - before >= BETWEEN_NANOS && last.compareAndSet(before, now);
    }

    /** In a transaction of its own. That it fails is no matter of the request's that came before. */
    void after(Transactions transactions, ClaimColumns<?, ?> columns) {
        if (!isTime()) {
            return;
        }
        try {
            transactions.call(
                    transaction -> new ClaimTable<>(columns, ClaimSql.in(transaction.connection())).purge(MOST));
        } catch (CerrojoException failure) {
            System.getLogger(SometimesPurged.class.getName())
                    .log(
                            System.Logger.Level.DEBUG,
                            "entries that are over could not be removed; tried again later",
                            failure);
        }
    }
}

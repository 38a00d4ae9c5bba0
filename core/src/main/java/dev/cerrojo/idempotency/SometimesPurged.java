package dev.cerrojo.idempotency;

import dev.cerrojo.internal.Interval;
import dev.cerrojo.tx.OuterTransaction;
import dev.cerrojo.tx.Transactions;
import java.time.Duration;
import java.util.function.IntSupplier;

/** Removes what is long over, a bounded amount at a time, beside the work of those who use the table. */
final class SometimesPurged {
    static final int MOST = 1000;
    private static final System.Logger LOGGER = System.getLogger(SometimesPurged.class.getName());

    private final Interval interval = new Interval(Duration.ofMinutes(10));

    boolean isTime() {
        return interval.isOver();
    }

    /** In a transaction of its own; so not where transactions are joined, which a failure here would doom. */
    void after(Transactions transactions, ClaimColumns<?, ?> columns) {
        if (transactions.options().outer() != OuterTransaction.JOIN && isTime()) {
            quietly(() -> transactions.call(
                    transaction -> new ClaimTable<>(columns, ClaimSql.in(transaction.connection())).purge(MOST)));
        }
    }

    /** That it fails is no matter of the request's that came before. */
    static void quietly(IntSupplier purge) {
        try {
            int removed = purge.getAsInt();
            LOGGER.log(System.Logger.Level.DEBUG, "entries that are over were removed: {0}", removed);
        } catch (RuntimeException failure) {
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "entries that are over could not be removed; tried again later",
                    failure);
        }
    }
}

package dev.cerrojo.explorer.tests.invariants;

import dev.cerrojo.invariant.GuardedTransactions;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule.Rows;
import dev.cerrojo.invariant.SerializationPoint;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.Transactions;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** Who is on call: a service on guarded transactions. */
public final class Rota {
    static final Invariant COVERAGE = Invariant.named("on_call_coverage")
            .says("every active shift keeps at least one active doctor on call")
            .per("shift", "id")
            .where("active")
            .atLeast(1, Rows.of("on_call").by("shift_id").where("active"));

    private static final SerializationPoint ON_CALL = SerializationPoint.touch(COVERAGE);

    private final Transactions transactions;
    private final GuardedTransactions guarded;

    public Rota(DataSource dataSource) {
        this.transactions = Transactions.over(dataSource);
        this.guarded = GuardedTransactions.over(transactions);
    }

    public void leave(int shift, String doctor) {
        guarded.run(ON_CALL.at(shift), tx -> setActive(tx, shift, doctor, false));
    }

    public void move(String doctor, int from, int to) {
        guarded.run(List.of(ON_CALL.at(from), ON_CALL.at(to)), tx -> {
            setActive(tx, from, doctor, false);
            setActive(tx, to, doctor, true);
        });
    }

    /** Does not guard: a trigger in the database does. */
    public boolean tryLeave(int shift, String doctor) {
        try {
            transactions.run(tx -> setActive(tx, shift, doctor, false));
            return true;
        } catch (RuntimeException failure) {
            if (COVERAGE.refused(failure)) {
                return false;
            }
            throw failure;
        }
    }

    private static void setActive(Transaction tx, int shift, String doctor, boolean active) throws SQLException {
        try (PreparedStatement change =
                tx.connection().prepareStatement("UPDATE on_call SET active = ? WHERE shift_id = ? AND doctor = ?")) {
            change.setBoolean(1, active);
            change.setInt(2, shift);
            change.setString(3, doctor);
            change.executeUpdate();
        }
    }
}

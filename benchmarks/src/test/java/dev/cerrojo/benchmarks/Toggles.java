package dev.cerrojo.benchmarks;

import dev.cerrojo.benchmarks.ShiftContender.Toggle;
import dev.cerrojo.invariant.GuardedTransactions;
import dev.cerrojo.invariant.SerializationPoint;
import dev.cerrojo.tx.Isolation;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionOptions;
import dev.cerrojo.tx.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The ways to do one and the same transaction. */
final class Toggles {
    private static final String CHECK = Ward.COVERAGE.violationSqlFor("?");

    private Toggles() {}

    /** What a careful developer writes by hand. */
    static Toggle byHand(Ward ward, List<String> before, boolean check) {
        return (shift, doctor) -> {
            try (Connection connection = ward.pool().getConnection()) {
                connection.setAutoCommit(false);
                try {
                    for (String sql : before) {
                        withShift(connection, sql, shift);
                    }
                    toggle(connection, shift, doctor);
                    if (check && withShift(connection, CHECK, shift)) {
                        throw new IllegalStateException("shift " + shift + " is left without a doctor");
                    }
                    connection.commit();
                } catch (SQLException | RuntimeException failure) {
                    connection.rollback();
                    throw failure;
                } finally {
                    connection.setAutoCommit(true);
                }
            }
            return 0;
        };
    }

    /** Whether it returned a row. */
    private static boolean withShift(Connection connection, String sql, int shift) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, shift);
            return statement.execute() && hasRow(statement);
        }
    }

    private static boolean hasRow(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.getResultSet()) {
            return rows.next();
        }
    }

    private static void toggle(Connection connection, int shift, int doctor) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Ward.TOGGLE)) {
            statement.setInt(1, shift);
            statement.setInt(2, doctor);
            statement.executeUpdate();
        }
    }

    /** The library's. */
    static Toggle guarded(Ward ward, SerializationPoint point) {
        GuardedTransactions guarded = GuardedTransactions.over(Transactions.over(ward.pool()));
        return again(guarded, point);
    }

    /** The same at SERIALIZABLE, which is run again when PostgreSQL says so. */
    static Toggle serializable(Ward ward) {
        TransactionOptions options = TransactionOptions.builder()
                .isolation(Isolation.SERIALIZABLE)
                .maxAttempts(1_000)
                .backoff(Duration.ofMillis(1), Duration.ofMillis(20))
                .build();
        GuardedTransactions guarded = GuardedTransactions.over(Transactions.over(ward.pool(), options));
        return again(guarded, SerializationPoint.serializable(Ward.COVERAGE));
    }

    private static Toggle again(GuardedTransactions guarded, SerializationPoint point) {
        return (shift, doctor) ->
                guarded.<Integer, RuntimeException>call(point.at(shift), tx -> attempts(tx, shift, doctor)) - 1;
    }

    private static int attempts(Transaction tx, int shift, int doctor) throws SQLException {
        toggle(tx.connection(), shift, doctor);
        return tx.attempt();
    }
}

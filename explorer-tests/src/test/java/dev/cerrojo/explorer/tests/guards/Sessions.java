package dev.cerrojo.explorer.tests.guards;

import dev.cerrojo.explorer.jdbc.SessionBody;
import dev.cerrojo.invariant.GuardedScope;
import dev.cerrojo.invariant.GuardedTransactions;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.SerializationPoint;
import dev.cerrojo.tx.Isolation;
import dev.cerrojo.tx.TransactionOptions;
import dev.cerrojo.tx.Transactions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** What sessions do: by the library, by raw SQL that counts before it writes, and by raw SQL that does not. */
final class Sessions {
    private final DataSource dataSource;

    Sessions(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    static String leave(int shift, String doctor) {
        return "UPDATE on_call SET active = false WHERE shift_id = %d AND doctor = '%s'".formatted(shift, doctor);
    }

    /** {@return a guarded transaction that runs SQL} */
    SessionBody guarded(List<GuardedScope> scopes, Isolation level, String... work) {
        GuardedTransactions guarded = GuardedTransactions.over(transactions(level));
        return () -> guarded.run(scopes, transaction -> run(transaction.connection(), work));
    }

    /** No waits between attempts: the explorer decides who comes next. */
    private Transactions transactions(Isolation level) {
        TransactionOptions.Builder options = TransactionOptions.builder().backoff(Duration.ZERO, Duration.ZERO);
        // the connections' own level needs no statement
        return Transactions.over(
                dataSource,
                level == Isolation.READ_COMMITTED
                        ? options.build()
                        : options.isolation(level).build());
    }

    /** {@return what a guarded transaction sends, without its refusals: the point, the work, the check} */
    SessionBody sent(SerializationPoint point, Isolation level, int shift, String... work) {
        return () -> inTransaction(level, connection -> {
            run(connection, point.sql(String.valueOf(shift)));
            run(connection, work);
            check(connection, point.invariant(), shift);
        });
    }

    /** {@return the same without the point} */
    SessionBody checked(Invariant invariant, Isolation level, int shift, String... work) {
        return () -> inTransaction(level, connection -> {
            run(connection, work);
            check(connection, invariant, shift);
        });
    }

    private static void check(Connection connection, Invariant invariant, int shift) throws SQLException {
        if (anyRow(connection, invariant.violationSqlFor(String.valueOf(shift)))) {
            throw new RefusedException();
        }
    }

    /** {@return raw SQL as services write it: counts who else is on call, then writes} */
    SessionBody counting(Isolation level, int shift, String doctor) {
        String others =
                "SELECT FROM on_call WHERE shift_id = %d AND doctor <> '%s' AND active".formatted(shift, doctor);
        return () -> inTransaction(level, connection -> {
            if (!anyRow(connection, others)) {
                throw new RefusedException();
            }
            run(connection, leave(shift, doctor));
        });
    }

    /** {@return raw SQL that asks nothing; a statement after {@code ?} may fail, as in code that catches it} */
    SessionBody raw(Isolation level, String... statements) {
        return () -> inTransaction(level, connection -> run(connection, statements));
    }

    /** What is done in a transaction. */
    @FunctionalInterface
    interface Work {
        void in(Connection connection) throws SQLException;
    }

    void inTransaction(Isolation level, Work work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                if (level != Isolation.READ_COMMITTED) {
                    run(connection, "SET TRANSACTION ISOLATION LEVEL " + level.sql());
                }
                work.in(connection);
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                if (isNotPossible(e)) {
                    throw new NotPossibleException(e);
                }
                throw e;
            }
        }
    }

    private static boolean isNotPossible(Exception thrown) {
        return thrown instanceof SQLException failure && "55000".equals(failure.getSQLState());
    }

    /** A guard refuses a statement as such, with SQLSTATE 55000. */
    static final class NotPossibleException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotPossibleException(Throwable cause) {
            super(cause);
        }
    }

    static void run(Connection connection, String... statements) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            for (String statement : statements) {
                if (statement.startsWith("?")) {
                    tryToRun(sql, statement.substring(1));
                } else {
                    sql.execute(statement);
                }
            }
        }
    }

    private static void tryToRun(Statement sql, String statement) {
        try {
            sql.execute(statement);
        } catch (SQLException caught) {
            // the next statement rolls back to a savepoint
        }
    }

    private static boolean anyRow(Connection connection, String query) throws SQLException {
        try (Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery(query)) {
            return rows.next();
        }
    }

    /** Raw code says no. */
    static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}

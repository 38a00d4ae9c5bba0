package dev.cerrojo.tx;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** Transactions on connections of a data source. */
record DataSourceOrigin(DataSource dataSource) implements Origin {
    /** On a connection that was handed out within a transaction. */
    private record Joined(Connection connection, Watch watch, JoinedTransaction transaction) implements Begun {
        static Joined of(Connection connection, Progress progress) {
            Watch watch = new Watch(progress);
            return new Joined(
                    connection,
                    watch,
                    new JoinedTransaction(new WatchedConnection(connection, watch), Optional.empty()));
        }

        @Override
        public Optional<Transaction> joined() {
            return Optional.of(transaction);
        }

        @Override
        public void close() throws SQLException {
            watch.end();
            connection.close();
        }
    }

    @Override
    public Begun begin(TransactionOptions options, Progress progress) throws SQLException {
        Connection connection = connection();
        try {
            return Outer.isOpen(connection)
                    ? joined(connection, options, progress)
                    : new Own(new OwnEnding(connection));
        } catch (SQLException | RuntimeException e) {
            close(connection, e);
            throw e;
        }
    }

    private static Begun joined(Connection connection, TransactionOptions options, Progress progress)
            throws SQLException {
        Joined joined = Joined.of(connection, progress);
        try {
            joined.transaction().failUnless(options);
            return joined;
        } catch (SQLException | RuntimeException e) {
            joined.watch().end();
            throw e;
        }
    }

    private Connection connection() {
        try {
            return dataSource.getConnection();
        } catch (SQLException e) {
            throw withoutConnection(e);
        }
    }

    static TransactionFailedException withoutConnection(SQLException e) {
        return new TransactionFailedException("no transaction began, for lack of a connection: " + e.getMessage(), e);
    }

    private static void close(Connection connection, Throwable reason) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            reason.addSuppressed(e);
        }
    }
}

package dev.cerrojo.explorer.stress;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import javax.sql.PooledConnection;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGConnectionPoolDataSource;

/** The smallest pool: one connection, which is lent again and again. Used by one thread at a time. */
final class OneConnection implements DataSource, AutoCloseable {
    private final PooledConnection pooled;
    private final int backend;

    OneConnection(String url) throws SQLException {
        PGConnectionPoolDataSource source = new PGConnectionPoolDataSource();
        source.setUrl(url);
        pooled = source.getPooledConnection();
        try (Connection lent = getConnection()) {
            backend = lent.unwrap(PGConnection.class).getBackendPID();
        }
    }

    /** {@return the process id of the backend} */
    int backend() {
        return backend;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return pooled.getConnection();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("the one connection has a user already");
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        throw new SQLFeatureNotSupportedException("nothing is logged");
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException("nothing is logged");
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException("it is connected already");
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("nothing is logged");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new SQLException("is no " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }

    @Override
    public void close() throws SQLException {
        pooled.close();
    }
}

package dev.cerrojo.explorer.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;

/**
 * A data source whose connections can be stopped before each step. A session is a thread that {@link Interleavings} started,
 * whatever connection it uses; all other threads pass, as if this were not there.
 *
 * <pre>{@code
 * GatedDataSource gated = GatedDataSource.around(pool);
 * DoctorService service = new DoctorService(gated);
 * }</pre>
 *
 * <p>It goes around the pool. Only needed where the code under test is made before the race is described, such as in an
 * application context; else {@link Interleavings#dataSource()} gives one. What a session does with an object that {@code unwrap}
 * found behind it is not seen, and the verdict says so.
 */
public final class GatedDataSource implements DataSource {
    private final DataSource real;
    private final Map<Thread, JavaSession> sessions = new ConcurrentHashMap<>();
    private volatile @Nullable RunRecord run;

    private GatedDataSource(DataSource real) {
        this.real = real;
    }

    /**
     * Wraps a data source.
     *
     * @param dataSource of PostgreSQL's driver, or a pool over it
     * @return the same with gates; itself when it has them already
     */
    public static GatedDataSource around(DataSource dataSource) {
        return dataSource instanceof GatedDataSource gated ? gated : new GatedDataSource(dataSource);
    }

    /** {@return the data source behind} */
    DataSource real() {
        return real;
    }

    void beginRun(RunRecord record) {
        run = record;
    }

    void endRun() {
        run = null;
    }

    void enter(JavaSession session) {
        sessions.put(Thread.currentThread(), session);
    }

    void leave() {
        sessions.remove(Thread.currentThread());
    }

    /** {@return the session whose thread this is} */
    Optional<JavaSession> session() {
        return Optional.ofNullable(sessions.get(Thread.currentThread()));
    }

    /** {@return the sessions that run now, in the order of their letters} */
    List<JavaSession> running() {
        return sessions.values().stream()
                .sorted(Comparator.comparing(JavaSession::letter))
                .toList();
    }

    /** {@return the session whose thread has this number} */
    Optional<JavaSession> sessionOf(long thread) {
        return sessions.entrySet().stream()
                .filter(entry -> entry.getKey().getId() == thread)
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** While sessions run, whoever else does something is a session that nobody knows of. */
    void ranUngated(String sql) {
        RunRecord record = run;
        if (record != null) {
            record.foreign(Thread.currentThread().getName(), sql);
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        return connect(real::getConnection);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return connect(() -> real.getConnection(user, password));
    }

    /** Where a connection comes from. */
    @FunctionalInterface
    private interface Source {
        Connection get() throws SQLException;
    }

    private Connection connect(Source from) throws SQLException {
        Optional<JavaSession> session = session();
        try {
            GatedConnection connection = gated(from.get());
            session.ifPresent(it -> it.acquired(connection));
            return connection.proxy();
        } catch (SQLException e) {
            session.ifPresent(it -> it.gotNoConnection(e));
            throw e;
        }
    }

    private GatedConnection gated(Connection connection) throws SQLException {
        if (!connection.isWrapperFor(BaseConnection.class)) {
            connection.close();
            throw new SQLFeatureNotSupportedException(
                    "only connections of PostgreSQL's JDBC driver can be explored, but this one is a "
                            + connection.getClass().getName());
        }
        return new GatedConnection(this, connection, new ServerTransaction(connection.unwrap(BaseConnection.class)));
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        T found = type.isInstance(real) ? type.cast(real) : real.unwrap(type);
        session().ifPresent(session -> session.unwrapped(type));
        return found;
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || type.isInstance(real) || real.isWrapperFor(type);
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return real.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        real.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        real.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return real.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return real.getParentLogger();
    }

    @Override
    public String toString() {
        return "gated " + real;
    }
}

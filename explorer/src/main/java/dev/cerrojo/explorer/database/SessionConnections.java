package dev.cerrojo.explorer.database;

import java.sql.SQLException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The connections of one session, made when they are first needed. */
final class SessionConnections implements ScenarioSession.Connections {
    private final int session;
    private final Supplier<Scratch> scratch;
    private @Nullable SessionConnection main;
    private @Nullable SessionConnection autonomous;

    /**
     * Makes them.
     *
     * @param scratch the database, which may be made anew
     */
    SessionConnections(int session, Supplier<Scratch> scratch) {
        this.session = session;
        this.scratch = scratch;
    }

    @Override
    public SessionConnection main() {
        SessionConnection connection = main == null ? connect() : main;
        main = connection;
        return connection;
    }

    @Override
    public SessionConnection autonomous() {
        SessionConnection connection = autonomous == null ? connect() : autonomous;
        autonomous = connection;
        return connection;
    }

    private SessionConnection connect() {
        try {
            SessionConnection connection = new SessionConnection(scratch.get().sessionUrl(session));
            scratch.get().monitor().owns(session, connection.backend());
            return connection;
        } catch (SQLException e) {
            throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void breakOff(SessionConnection connection) {
        if (connection == main) {
            main = null;
        } else if (connection == autonomous) {
            autonomous = null;
        }
        connection.breakOff();
        scratch.get().monitor().end(connection.backend());
    }

    @Override
    public void breakAllOff() {
        SessionConnection first = main;
        SessionConnection second = autonomous;
        if (first != null) {
            breakOff(first);
        }
        if (second != null) {
            breakOff(second);
        }
    }

    void afterRun(String cleaning) throws SQLException {
        if (main != null) {
            main.afterRun(cleaning);
        }
        if (autonomous != null) {
            autonomous.afterRun(cleaning);
        }
    }

    void close() {
        if (main != null) {
            main.close();
        }
        if (autonomous != null) {
            autonomous.close();
        }
        main = null;
        autonomous = null;
    }
}

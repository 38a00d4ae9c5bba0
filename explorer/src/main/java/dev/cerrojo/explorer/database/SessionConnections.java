package dev.cerrojo.explorer.database;

import java.sql.SQLException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The connections of one session, made when they are first needed. */
final class SessionConnections implements ScenarioSession.Connections {
    /** Instead of SQL that cleans up: the next run gets a connection that nothing was done on. */
    static final String ANOTHER_CONNECTION = "another connection";

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
        main = cleaned(main, cleaning);
        autonomous = cleaned(autonomous, cleaning);
    }

    /** One that the server ended is made anew in the next run; why it did, the run has told. */
    private static @Nullable SessionConnection cleaned(@Nullable SessionConnection connection, String cleaning)
            throws SQLException {
        if (connection == null || connection.isLost()) {
            return null;
        }
        if (cleaning.equals(ANOTHER_CONNECTION)) {
            connection.close();
            return null;
        }
        connection.afterRun(cleaning);
        return connection;
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

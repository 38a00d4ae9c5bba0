package dev.cerrojo.explorer.database;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The connections of one client that is measured, kept as a pool keeps them. */
final class ClientConnections implements ScenarioSession.Connections, AutoCloseable {
    private final String url;
    private final SessionConnection main;
    private @Nullable SessionConnection autonomous;

    ClientConnections(String url) throws SQLException {
        this.url = url;
        this.main = new SessionConnection(url);
    }

    @Override
    public SessionConnection main() {
        return main;
    }

    @Override
    public SessionConnection autonomous() {
        try {
            SessionConnection open = autonomous == null ? new SessionConnection(url) : autonomous;
            autonomous = open;
            return open;
        } catch (SQLException e) {
            throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void breakOff(SessionConnection connection) {
        throw new UnsupportedOperationException("nothing befalls a client that is measured");
    }

    @Override
    public void breakAllOff() {
        throw new UnsupportedOperationException("nothing befalls a client that is measured");
    }

    @Override
    public void close() {
        main.close();
        if (autonomous != null) {
            autonomous.close();
        }
    }
}

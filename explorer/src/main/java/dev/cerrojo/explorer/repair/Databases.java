package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.database.MeasuredDatabase;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.scenario.Scenario;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One database for each setup: contestants that leave the schema as it is share one. */
final class Databases implements AutoCloseable {
    /** A server has 100 connections by default, and each database takes one for each client. */
    private static final int MOST_CONNECTIONS = 64;

    private final Server server;
    private final int clients;
    private final Map<String, MeasuredDatabase> bySetup = new LinkedHashMap<>();

    Databases(Server server, int clients) {
        this.server = server;
        this.clients = clients;
    }

    /** {@return the database of a scenario's setup; empty when there is no room for one more} */
    Optional<MeasuredDatabase> of(Scenario scenario) throws SQLException {
        @Nullable MeasuredDatabase known = bySetup.get(scenario.setup());
        if (known != null) {
            return Optional.of(known);
        }
        if ((bySetup.size() + 1) * (clients + 1) > MOST_CONNECTIONS && !bySetup.isEmpty()) {
            return Optional.empty();
        }
        MeasuredDatabase made = MeasuredDatabase.open(server, scenario);
        bySetup.put(scenario.setup(), made);
        return Optional.of(made);
    }

    /** Connects the clients of all. */
    void connect() throws SQLException {
        for (MeasuredDatabase each : bySetup.values()) {
            each.connect(clients);
        }
    }

    void disconnect() {
        bySetup.values().forEach(MeasuredDatabase::disconnect);
    }

    @Override
    public void close() throws SQLException {
        for (MeasuredDatabase each : bySetup.values()) {
            each.close();
        }
    }
}

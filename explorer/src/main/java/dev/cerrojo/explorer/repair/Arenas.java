package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.database.Arena;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.invariant.Invariant;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Keeps arenas open, one for each setup: many candidates leave the schema as it is. */
final class Arenas implements AutoCloseable {
    /** A database takes some 8 MB, and some connections. */
    private static final int KEPT = 5;

    private final Server server;
    private final Map<Key, Arena> open = new LinkedHashMap<>(16, 0.75f, true);

    private record Key(String setup, List<Invariant> invariants, Arena.Gates gates) {}

    Arenas(Server server) {
        this.server = server;
    }

    Arena of(Scenario scenario) throws SQLException {
        return of(scenario, Arena.Gates.OFF);
    }

    Arena gated(Scenario scenario) throws SQLException {
        return of(scenario, Arena.Gates.ON);
    }

    private Arena of(Scenario scenario, Arena.Gates gates) throws SQLException {
        Key key = new Key(scenario.setup(), scenario.invariants(), gates);
        Arena known = open.get(key);
        if (known == null) {
            if (open.size() == KEPT) {
                Key oldest = open.keySet().iterator().next();
                Arena least = open.remove(oldest);
                if (least != null) {
                    least.close();
                }
            }
            known = Arena.open(server, scenario, gates);
            open.put(key, known);
        }
        return known;
    }

    @Override
    public void close() throws SQLException {
        for (Arena arena : open.values()) {
            arena.close();
        }
    }
}

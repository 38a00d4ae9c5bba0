package dev.cerrojo.explorer.tests.guards;

import dev.cerrojo.explorer.database.Arena;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.Goal;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Explores statements, with gates inside of them and of COMMIT, or without; keeps a database for each setup. */
final class Laboratory implements AutoCloseable {
    private final TestDatabase maintenance = TestDatabase.create();
    private final Server server;
    private final Map<Key, Arena> arenas = new HashMap<>();

    /** More is a sign that a proof has grown; then it must be made smaller, not longer. */
    private static final long MOST = 600;

    private record Key(String setup, Arena.Gates gates) {}

    Laboratory() throws SQLException {
        server = Server.at(maintenance.jdbcUrl());
    }

    /** {@return what exploring every schedule found} */
    Exploration explore(Scenario scenario, Arena.Gates gates) throws SQLException {
        Key key = new Key(scenario.setup(), gates);
        Arena arena = arenas.get(key);
        if (arena == null) {
            arena = Arena.open(server, scenario, gates);
            arenas.put(key, arena);
        }
        return new Search(
                        arena.subject(scenario, scenario.runs().get(0)),
                        new Bounds(MOST, Duration.ofMinutes(1)),
                        Goal.EVERY_SCHEDULE,
                        Search.Mode.REDUCED,
                        Progress.SILENT)
                .run();
    }

    @Override
    public void close() throws SQLException {
        for (Arena arena : arenas.values()) {
            arena.close();
        }
        server.close();
        maintenance.close();
    }
}

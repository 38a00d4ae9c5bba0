package dev.cerrojo.explorer;

import dev.cerrojo.explorer.database.Arena;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.invariant.Invariant;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps the arena that was asked for last: many cases of one file have the same setup, and a database costs time. */
public final class LastArena implements AutoCloseable {
    private @Nullable Key key;
    private @Nullable Arena arena;

    private record Key(String setup, List<Invariant> invariants) {}

    /** {@return an arena of the scenario's setup and invariants; closed when another is asked for} */
    public Arena of(Scenario scenario) throws SQLException {
        Key wanted = new Key(scenario.setup(), scenario.invariants());
        if (!wanted.equals(key)) {
            close();
            arena = Arena.open(TestServer.shared(), scenario);
            key = wanted;
        }
        return arena;
    }

    @Override
    public void close() throws SQLException {
        if (arena != null) {
            arena.close();
        }
        arena = null;
        key = null;
    }
}

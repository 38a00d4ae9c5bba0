package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.database.Arena;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.invariant.Invariant;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps arenas open: many candidates leave the schema as it is. Safe to use from any thread; each arena is lent to one. */
final class Arenas implements AutoCloseable {
    /** A database takes some 8 MB, and some connections. */
    private static final int KEPT = 8;

    private final Server server;

    /** Those that nobody uses, the one used last at the end. */
    private final Deque<Idle> idle = new ArrayDeque<>();

    private record Key(String setup, List<Invariant> invariants, Arena.Gates gates) {}

    private record Idle(Key key, Arena arena) {}

    Arenas(Server server) {
        this.server = server;
    }

    /** What is done in an arena. */
    @FunctionalInterface
    interface Use<T> {
        T in(Arena arena) throws SQLException;
    }

    /** Does something in an arena of a scenario's setup and invariants. */
    <T> T with(Scenario scenario, Arena.Gates gates, Use<T> use) throws SQLException {
        Key key = new Key(scenario.setup(), scenario.invariants(), gates);
        @Nullable Arena known = idle(key);
        Arena arena = known == null ? Arena.open(server, scenario, gates) : known;
        boolean usable = false;
        try {
            T result = use.in(arena);
            usable = true;
            return result;
        } finally {
            if (usable) {
                keep(new Idle(key, arena));
            } else {
                arena.close();
            }
        }
    }

    private synchronized @Nullable Arena idle(Key key) {
        Iterator<Idle> latest = idle.descendingIterator();
        while (latest.hasNext()) {
            Idle candidate = latest.next();
            if (candidate.key().equals(key)) {
                latest.remove();
                return candidate.arena();
            }
        }
        return null;
    }

    private void keep(Idle arena) throws SQLException {
        @Nullable Idle least = null;
        synchronized (this) {
            idle.addLast(arena);
            if (idle.size() > KEPT) {
                least = idle.removeFirst();
            }
        }
        if (least != null) {
            least.arena().close();
        }
    }

    @Override
    public synchronized void close() throws SQLException {
        for (Idle each : idle) {
            each.arena().close();
        }
        idle.clear();
    }
}

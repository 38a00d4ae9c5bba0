package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.schedule.Footprint;
import dev.cerrojo.explorer.schedule.LockMonitor;
import dev.cerrojo.explorer.schedule.Unsettled;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Asks {@code pg_blocking_pids} (PostgreSQL: System Information Functions) on a connection of its own. */
final class PostgresLockMonitor implements LockMonitor, AutoCloseable {
    private static final String BLOCKERS = """
            SELECT p, pg_blocking_pids(p) || pg_safe_snapshot_blocking_pids(p) FROM unnest(?::int[]) AS p""";

    /**
     * Waited-for locks too: a waiting statement touches what it waits for. Drawing from a sequence is seen at once, so looking
     * at one meets it as a write does.
     */
    private static final String FOOTPRINTS = """
            SELECT pid,
                   CASE locktype WHEN 'relation' THEN relation::text
                                 ELSE 'advisory ' || classid || ' ' || objid || ' ' || objsubid END,
                   CASE WHEN EXISTS (SELECT FROM pg_class WHERE oid = relation AND relkind = 'S') THEN 'RowExclusiveLock'
                        WHEN locktype = 'relation' THEN mode
                        WHEN mode = 'ShareLock' THEN 'shared key' ELSE 'AccessExclusiveLock' END
              FROM pg_locks
             WHERE pid = ANY (?::int[])
               AND (locktype = 'relation' OR locktype = 'advisory' AND classid <> 1667461991)""";

    /** A backend releases its locks before it leaves this view. A signal to one that ends already does no harm. */
    private static final String END = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = ?";

    private static final Duration ENDS_WITHIN = Duration.ofSeconds(10);
    private static final long PROBE_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

    private final Connection connection;
    private final PreparedStatement blockers;
    private final PreparedStatement footprints;
    private final PreparedStatement cancel;
    private @Nullable Gatekeeper gatekeeper;
    private final Map<Integer, Integer> sessions = new ConcurrentHashMap<>();

    PostgresLockMonitor(Connection connection) throws SQLException {
        this.connection = connection;
        this.blockers = connection.prepareStatement(BLOCKERS);
        this.footprints = connection.prepareStatement(FOOTPRINTS);
        this.cancel = connection.prepareStatement("SELECT pg_cancel_backend(?)");
    }

    void guardedBy(Gatekeeper keeper) {
        gatekeeper = keeper;
    }

    @Override
    public boolean isGatekeeper(int backend) {
        return gatekeeper != null && gatekeeper.backend() == backend;
    }

    @Override
    public void open(int session) {
        try {
            java.util.Objects.requireNonNull(gatekeeper).open(session);
        } catch (SQLException e) {
            throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
        }
    }

    void owns(int session, int backend) {
        sessions.put(backend, session);
    }

    void forgetOwners() {
        sessions.clear();
    }

    @Override
    public OptionalInt sessionOf(int backend) {
        Integer session = sessions.get(backend);
        return session == null ? OptionalInt.empty() : OptionalInt.of(session);
    }

    @Override
    public Map<Integer, Set<Integer>> blockers(Collection<Integer> backends) {
        try {
            blockers.setArray(1, connection.createArrayOf("int4", backends.toArray()));
            Map<Integer, Set<Integer>> answer = new HashMap<>();
            try (ResultSet rows = blockers.executeQuery()) {
                while (rows.next()) {
                    Set<Integer> pids = new HashSet<>();
                    for (Object pid : (Object[]) rows.getArray(2).getArray()) {
                        pids.add((Integer) pid);
                    }
                    answer.put(rows.getInt(1), pids);
                }
            }
            return answer;
        } catch (SQLException e) {
            throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public Map<Integer, Footprint> footprints(Collection<Integer> backends) {
        try {
            footprints.setArray(1, connection.createArrayOf("int4", backends.toArray()));
            Map<Integer, Footprint> answer = new HashMap<>();
            try (ResultSet rows = footprints.executeQuery()) {
                while (rows.next()) {
                    answer.merge(rows.getInt(1), footprint(rows.getString(2), rows.getString(3)), Footprint::with);
                }
            }
            return answer;
        } catch (SQLException e) {
            throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
        }
    }

    private Footprint footprint(String object, String mode) {
        Set<String> it = Set.of(object);
        return switch (mode) {
            case "AccessShareLock" -> new Footprint(it, Set.of(), Set.of(), false);
            case "AccessExclusiveLock" -> new Footprint(Set.of(), it, it, false);
            default -> new Footprint(Set.of(), it, Set.of(), false);
        };
    }

    @Override
    public void cancel(int backend) {
        try {
            cancel.setInt(1, backend);
            cancel.execute();
        } catch (SQLException e) {
            throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Ends a backend whose client is gone, and waits until it is: then its locks are free and its transaction is undone. May be
     * called from a session's thread, while the scheduler asks on its own.
     */
    void end(int backend) {
        long deadline = System.nanoTime() + ENDS_WITHIN.toNanos();
        try (PreparedStatement terminate = connection.prepareStatement(END)) {
            terminate.setInt(1, backend);
            while (isThere(terminate)) {
                if (System.nanoTime() > deadline) {
                    throw new Unsettled(
                            "backend " + backend + ", whose client crashed, did not end within " + ENDS_WITHIN);
                }
                LockSupport.parkNanos(PROBE_NANOS);
            }
            sessions.remove(backend);
        } catch (SQLException e) {
            throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean isThere(PreparedStatement terminate) throws SQLException {
        try (ResultSet row = terminate.executeQuery()) {
            return row.next();
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}

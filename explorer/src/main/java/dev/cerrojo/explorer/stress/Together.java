package dev.cerrojo.explorer.stress;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** What the operations of a group share while they run: where they meet, and what is injected. */
final class Together {
    static final String SCHEMA = "cerrojo_stress";

    private static final int NOBODY = -1;
    private static final String FAIL =
            "DO $$ BEGIN RAISE EXCEPTION 'injected by the retry test' USING ERRCODE = '40001'; END $$";

    private final Group group;
    private final Tally tally;
    private final Meeting beforeWriting;
    private final Meeting betweenLocks;
    private final AtomicInteger befallen = new AtomicInteger(NOBODY);

    Together(Group group, LockWaits locks, Tally tally) {
        this.group = group;
        this.tally = tally;
        this.beforeWriting = new Meeting(group.sessions().size(), locks);
        this.betweenLocks = new Meeting(Math.min(2, group.sessions().size()), locks);
    }

    private boolean hasConflict() {
        return group.injection() == Injection.LOCK_ORDER && group.sessions().size() > 1;
    }

    /** Makes the tables whose locks its operations take in opposite order. */
    static String tables(Group group) {
        return group.injection() == Injection.LOCK_ORDER
                ? "CREATE TABLE %s (); CREATE TABLE %s ();".formatted(table(group, 0), table(group, 1))
                : "";
    }

    private static String table(Group group, int which) {
        return "%s.conflict_%d_%s".formatted(SCHEMA, group.number(), which == 0 ? "a" : "b");
    }

    void joins(int party, int backend) {
        beforeWriting.joins(party, backend);
        if (party < 2) {
            betweenLocks.joins(party, backend);
        }
    }

    void ends(int party) {
        beforeWriting.comes(party);
        if (party < 2) {
            betweenLocks.comes(party);
        }
    }

    /** LOCK TABLE takes no snapshot, so what a transaction takes first may still follow. */
    void begins(int party, int attempt, Connection connection) throws SQLException {
        if (hasConflict() && party < 2 && attempt == 1) {
            lock(table(group, party), connection);
            betweenLocks.await(party);
            if (party == 0) {
                tally.lockOrder();
            }
            lock(table(group, 1 - party), connection);
        }
    }

    private static void lock(String table, Connection connection) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.execute("LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE");
        }
    }

    void beforeWriting(int party) throws SQLException {
        beforeWriting.await(party);
    }

    /** Of failures that pass, the first operation that comes so far has them, and no other. */
    void beforeCommit(int party, int attempt, Connection connection) throws SQLException {
        if (group.injection().fails(attempt) && (group.injection() == Injection.EXHAUSTION || isFirst(party))) {
            tally.failure();
            try (Statement sql = connection.createStatement()) {
                sql.execute(FAIL);
            }
        }
    }

    private boolean isFirst(int party) {
        return befallen.compareAndSet(NOBODY, party) || befallen.get() == party;
    }
}

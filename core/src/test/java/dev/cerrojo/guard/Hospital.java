package dev.cerrojo.guard;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Invariants;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.SQLException;

/** Shifts 1 and 2 with doctors A and B each, and shift 3, which is not active and has none. */
final class Hospital implements AutoCloseable {
    static final Invariant COVERAGE = Invariants.onCallCoverage();

    private final TestDatabase database = TestDatabase.create();
    private final Session session;

    Hospital() throws SQLException {
        session = Session.of(database);
        session.run("CREATE TABLE shift (id int PRIMARY KEY, active boolean NOT NULL)");
        session.run("""
                CREATE TABLE on_call (shift_id int REFERENCES shift ON DELETE CASCADE ON UPDATE CASCADE, doctor text,
                  qualified boolean NOT NULL DEFAULT true, active boolean NOT NULL DEFAULT true,
                  PRIMARY KEY (shift_id, doctor))""");
        session.run("INSERT INTO shift VALUES (1, true), (2, true), (3, false)");
        session.run("INSERT INTO on_call VALUES (1, 'A'), (1, 'B'), (2, 'A'), (2, 'B')");
    }

    Hospital guarded() throws SQLException {
        return guarded(GuardOptions.defaults());
    }

    Hospital guarded(GuardOptions options) throws SQLException {
        session.run(TriggerGuard.of(COVERAGE, options).installStatements());
        return this;
    }

    TestDatabase database() {
        return database;
    }

    /** The session of whoever set it up. */
    Session session() {
        return session;
    }

    Session newSession() throws SQLException {
        return Session.of(database);
    }

    @Override
    public void close() throws SQLException {
        session.close();
        database.close();
    }
}

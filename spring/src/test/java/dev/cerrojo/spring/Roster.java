package dev.cerrojo.spring;

import dev.cerrojo.Actor;
import dev.cerrojo.idempotency.Reply;
import dev.cerrojo.idempotency.RequestKey;
import dev.cerrojo.idempotency.StoredResponse;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule.Rows;
import dev.cerrojo.tx.OuterTransaction;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Who is on call: the methods of a service, protected and not. */
class Roster {
    static final Invariant COVERAGE = Invariant.named("on_call_coverage")
            .says("every shift keeps at least one active doctor")
            .per("shift", "id")
            .atLeast(1, Rows.of("on_call").by("shift_id").where("active"));

    static final String TABLES = """
            CREATE TABLE shift (id int PRIMARY KEY, note text, version bigint NOT NULL DEFAULT 0);
            CREATE TABLE on_call (shift_id int NOT NULL REFERENCES shift, doctor text NOT NULL, active boolean NOT NULL,
              PRIMARY KEY (shift_id, doctor));
            """;

    private final JdbcTemplate jdbc;
    final AtomicInteger ran = new AtomicInteger();
    final AtomicInteger committed = new AtomicInteger();

    Roster(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    void open(int shift, String... doctors) {
        jdbc.update("INSERT INTO shift (id) VALUES (?)", shift);
        for (String doctor : doctors) {
            jdbc.update("INSERT INTO on_call VALUES (?, ?, true)", shift, doctor);
        }
    }

    int active(int shift) {
        return jdbc.queryForObject(
                "SELECT count(*)::int FROM on_call WHERE shift_id = ? AND active", Integer.class, shift);
    }

    void leaveUnguarded(int shift, String doctor, Runnable between) {
        if (active(shift) < 2) {
            throw new IllegalStateException("the last one stays");
        }
        between.run();
        jdbc.update("UPDATE on_call SET active = false WHERE shift_id = ? AND doctor = ?", shift, doctor);
    }

    @Guarded(invariant = "on_call_coverage", scope = "shift")
    public void leave(int shift, String doctor) {
        ran.incrementAndGet();
        jdbc.update("UPDATE on_call SET active = false WHERE shift_id = ? AND doctor = ?", shift, doctor);
    }

    @Guarded(invariant = "on_call_coverage", scope = "#shifts")
    void leaveAll(Collection<Integer> shifts, String doctor) {
        shifts.forEach(shift ->
                jdbc.update("UPDATE on_call SET active = false WHERE shift_id = ? AND doctor = ?", shift, doctor));
    }

    @Guarded(invariant = "on_call_coverage", scope = "shift", outer = OuterTransaction.JOIN)
    protected void leaveJoining(int shift, String doctor) {
        jdbc.update("UPDATE on_call SET active = false WHERE shift_id = ? AND doctor = ?", shift, doctor);
    }

    /** {@return whether the guard row was touched by the transaction that the method's own statements are in} */
    @Guarded(invariant = "on_call_coverage", scope = "#shift")
    boolean isOneTransaction(int shift) {
        return jdbc.queryForObject(
                "SELECT xmin::text = pg_current_xact_id()::text FROM cerrojo.guard WHERE scope = ?::text",
                Boolean.class,
                shift);
    }

    @OptimisticRetry
    void staleUntil(int attempt) {
        committedLater();
        if (ran.incrementAndGet() < attempt) {
            throw new OptimisticLockingFailureException("somebody else was faster");
        }
    }

    @OptimisticRetry(maxAttempts = 2)
    void alwaysStale() {
        ran.incrementAndGet();
        throw new OptimisticLockingFailureException("somebody else was faster");
    }

    /** Hides what PostgreSQL said. */
    @OptimisticRetry
    void serializationFailureIsSwallowed(int until, boolean throwsAnother) {
        if (ran.incrementAndGet() >= until) {
            return;
        }
        try {
            jdbc.execute("DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '40001'; END $$");
        } catch (ConcurrencyFailureException swallowed) {
            if (throwsAnother) {
                throw new IllegalStateException("something else");
            }
        } catch (DataAccessException other) {
            throw new AssertionError(other);
        }
    }

    @Leased(entity = "'shift/' + #shift", group = "note")
    void note(int shift, Runnable meanwhile) {
        meanwhile.run();
        jdbc.update("UPDATE shift SET note = 'noted' WHERE id = ?", shift);
    }

    @Leased(entity = "'shift/' + #shift")
    @Guarded(invariant = "on_call_coverage", scope = "shift")
    void leaveUnderLease(int shift, String doctor, Runnable meanwhile) {
        jdbc.update("UPDATE on_call SET active = false WHERE shift_id = ? AND doctor = ?", shift, doctor);
        meanwhile.run();
    }

    @ActingAs(Actor.SYSTEM)
    String actor() {
        return actorNow();
    }

    String actorNow() {
        return jdbc.queryForObject("SELECT current_setting('cerrojo.actor', true)", String.class);
    }

    @Guarded(invariant = "on_call_coverage", scope = "shift")
    void failsAtCommit(int shift) {
        jdbc.execute("CREATE TEMP TABLE later (id int UNIQUE DEFERRABLE INITIALLY DEFERRED) ON COMMIT DROP");
        jdbc.update("INSERT INTO later VALUES (1), (1)");
        committedLater();
    }

    private void committedLater() {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                committed.incrementAndGet();
            }
        });
    }

    @Idempotent(operation = "note", key = "'shift/' + #shift", payload = "text")
    void noteOnce(int shift, String text) {
        ran.incrementAndGet();
        jdbc.update("UPDATE shift SET note = coalesce(note, '') || ? WHERE id = ?", text, shift);
    }

    @Idempotent(key = "#key", payload = "#doctor")
    @Guarded(invariant = "on_call_coverage", scope = "shift")
    Reply leaveOnce(RequestKey key, int shift, String doctor) {
        ran.incrementAndGet();
        jdbc.update("UPDATE on_call SET active = false WHERE shift_id = ? AND doctor = ?", shift, doctor);
        return new Reply(StoredResponse.json(200, "{\"left\":\"" + doctor + "\"}"), false);
    }

    List<String> doctors(int shift) {
        return jdbc.queryForList("SELECT doctor FROM on_call WHERE shift_id = ? AND active", String.class, shift);
    }
}

package dev.cerrojo.explorer.stress;

import dev.cerrojo.explorer.search.Violation;
import dev.cerrojo.explorer.stress.Pass.Injected;
import dev.cerrojo.explorer.stress.Pass.SideEffects;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Counts, from any number of threads. */
final class Tally {
    /** What an operation ended with. */
    enum End {
        COMMITTED,
        REFUSED,
        EXHAUSTED,
        FAILED
    }

    private final AtomicReferenceArray<End> ends;
    private final AtomicIntegerArray attempts;
    private final AtomicIntegerArray afterCommit;
    private final AtomicIntegerArray inside;
    private final Map<String, Integer> failed = new ConcurrentHashMap<>();
    private final Map<String, Integer> errors = new ConcurrentHashMap<>();
    private final AtomicInteger retries = new AtomicInteger();
    private final AtomicInteger lockOrders = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();

    Tally(int operations) {
        ends = new AtomicReferenceArray<>(operations);
        attempts = new AtomicIntegerArray(operations);
        afterCommit = new AtomicIntegerArray(operations);
        inside = new AtomicIntegerArray(operations);
    }

    void attempt(int operation, int attempt) {
        attempts.accumulateAndGet(operation, attempt, Math::max);
        if (attempt > 1) {
            retries.incrementAndGet();
        }
    }

    void error(SQLException error) {
        errors.merge(String.valueOf(error.getSQLState()), 1, Integer::sum);
    }

    void ended(int operation, End end) {
        ends.set(operation, end);
    }

    void failed(int operation, String sqlState) {
        ended(operation, End.FAILED);
        failed.merge(sqlState, 1, Integer::sum);
    }

    void effectAfterCommit(int operation) {
        afterCommit.incrementAndGet(operation);
    }

    void effectInside(int operation) {
        inside.incrementAndGet(operation);
    }

    void lockOrder() {
        lockOrders.incrementAndGet();
    }

    void failure() {
        failures.incrementAndGet();
    }

    Pass pass(String protection, int clients, int ledger, List<Violation> violations, Duration elapsed) {
        return new Pass(
                protection,
                clients,
                count(End.COMMITTED),
                count(End.REFUSED),
                count(End.EXHAUSTED),
                failed,
                rerun(),
                retries.get(),
                errors,
                new Injected(lockOrders.get(), failures.get()),
                ledger,
                effects(afterCommit),
                effects(inside),
                violations,
                elapsed);
    }

    private int count(End wanted) {
        int count = 0;
        for (int i = 0; i < ends.length(); i++) {
            count += ends.get(i) == wanted ? 1 : 0;
        }
        return count;
    }

    private int rerun() {
        int rerun = 0;
        for (int i = 0; i < attempts.length(); i++) {
            rerun += attempts.get(i) > 1 ? 1 : 0;
        }
        return rerun;
    }

    private SideEffects effects(AtomicIntegerArray of) {
        int done = 0;
        int duplicates = 0;
        int uncommitted = 0;
        int missing = 0;
        for (int i = 0; i < of.length(); i++) {
            boolean committed = ends.get(i) == End.COMMITTED;
            done += of.get(i);
            duplicates += Math.max(0, of.get(i) - 1);
            uncommitted += !committed && of.get(i) > 0 ? 1 : 0;
            missing += committed && of.get(i) == 0 ? 1 : 0;
        }
        return new SideEffects(done, duplicates, uncommitted, missing);
    }
}

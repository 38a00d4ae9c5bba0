package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.Choice;
import dev.cerrojo.explorer.schedule.ChoicePoint;
import dev.cerrojo.explorer.schedule.Chooser;
import dev.cerrojo.explorer.schedule.Deadlock;
import dev.cerrojo.explorer.schedule.Effect;
import dev.cerrojo.explorer.schedule.Footprint;
import dev.cerrojo.explorer.schedule.Move;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.StepInfo;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.schedule.TraceEvent;
import dev.cerrojo.tx.Isolation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A database in memory that knows what a search must know of PostgreSQL: tables of rows, snapshots at each level, row locks
 * and advisory keys with their queues, deadlocks whose victim the timers choose, and failures of serializable transactions.
 * It is as fast as a search, so that very many programs can be tried.
 */
final class FakeDatabase implements Subject {
    /** One step of a program. */
    sealed interface Op {
        /** Reads a whole table. */
        record Read(String table) implements Op {}

        /** Changes one row of a table; waits for whoever changed it and did not end. */
        record Write(String table, int row) implements Op {}

        /** Takes a key until the end of the transaction. */
        record Lock(String key) implements Op {}

        record Commit() implements Op {}

        record Rollback() implements Op {}
    }

    /** What one session does, in transactions that all have one level; a program that does not end one commits it. */
    record Program(Isolation isolation, List<Op> ops) {
        static Program of(Isolation isolation, Op... ops) {
            return new Program(isolation, List.of(ops));
        }
    }

    private final List<Program> programs;

    FakeDatabase(List<Program> programs) {
        this.programs = programs.stream().map(FakeDatabase::ended).toList();
    }

    private static Program ended(Program program) {
        List<Op> ops = new ArrayList<>(program.ops());
        if (ops.isEmpty() || !isEnd(ops.get(ops.size() - 1))) {
            ops.add(new Op.Commit());
        }
        return new Program(program.isolation(), ops);
    }

    private static boolean isEnd(Op op) {
        return op instanceof Op.Commit || op instanceof Op.Rollback;
    }

    @Override
    public int sessions() {
        return programs.size();
    }

    @Override
    public Execution execute(Chooser chooser) {
        return new Running(chooser).run();
    }

    /** A row's content: who wrote it, in order. */
    private record Version(String content, long committedAt) {}

    /** What is known of a transaction, also after its end, as long as others ran beside it. */
    private static final class Transaction {
        final Map<String, Version> snapshot;
        final long begun;
        final boolean serializable;
        long committed = Long.MAX_VALUE;
        boolean rolledBack;
        final Set<String> readTables = new TreeSet<>();
        final Set<String> writtenTables = new TreeSet<>();
        final Map<String, String> written = new TreeMap<>();

        Transaction(Map<String, Version> snapshot, long begun, boolean serializable) {
            this.snapshot = snapshot;
            this.begun = begun;
            this.serializable = serializable;
        }

        boolean isBeside(Transaction other) {
            return this != other
                    && serializable
                    && other.serializable
                    && !rolledBack
                    && !other.rolledBack
                    && begun < other.committed
                    && other.begun < committed;
        }

        /** Reads what the other writes without seeing it. */
        boolean precedes(Transaction other) {
            return isBeside(other) && readTables.stream().anyMatch(other.writtenTables::contains);
        }
    }

    private static final class Session {
        final int number;
        final Program program;
        int next;
        int steps;
        StepInfo current;
        boolean done;
        String waitsFor = "";
        Transaction transaction;
        Footprint touched = Footprint.NONE;
        final Set<String> keys = new LinkedHashSet<>();
        final StringBuilder seen = new StringBuilder();
        Outcome outcome = new Outcome.Committed();

        Session(int number, Program program) {
            this.number = number;
            this.program = program;
        }

        boolean isOption() {
            return !done && waitsFor.isEmpty();
        }
    }

    private final class Running {
        private final Chooser chooser;
        private final List<Session> sessions = new ArrayList<>();
        private final Map<String, Version> rows = new TreeMap<>();
        private final Map<String, Integer> owners = new HashMap<>();
        private final List<Integer> queue = new ArrayList<>();
        private final List<Transaction> transactions = new ArrayList<>();
        private final List<ChoicePoint> points = new ArrayList<>();
        private final List<TraceEvent> events = new ArrayList<>();
        private final List<Move> moves = new ArrayList<>();
        private List<Effect> effects = new ArrayList<>();
        private final List<Deadlock> deadlocks = new ArrayList<>();
        private final Map<Integer, OptionalInt> timers = new HashMap<>();
        private long clock;

        Running(Chooser chooser) {
            this.chooser = chooser;
            for (int i = 0; i < programs.size(); i++) {
                sessions.add(new Session(i, programs.get(i)));
            }
        }

        Execution run() {
            int last = -1;
            while (true) {
                List<Integer> options = sessions.stream()
                        .filter(Session::isOption)
                        .map(session -> session.number)
                        .toList();
                if (options.isEmpty()) {
                    break;
                }
                last = turn(options, last);
            }
            List<Outcome> outcomes =
                    sessions.stream().map(session -> session.outcome).toList();
            return new Execution(
                    new Trace(points, events, outcomes, moves, List.of(), 0), List.of(), Optional.of(state()));
        }

        private String state() {
            StringBuilder text = new StringBuilder();
            sessions.forEach(
                    session -> text.append(session.number).append(session.seen).append('\n'));
            rows.forEach((row, version) ->
                    text.append(row).append('=').append(version.content()).append('\n'));
            return text.toString();
        }

        private int turn(List<Integer> options, int last) {
            Map<Integer, StepInfo> pending = new HashMap<>();
            options.forEach(option -> pending.put(option, step(sessions.get(option))));
            Session session = sessions.get(chooser.turn(points.size(), options, last, pending));
            points.add(new ChoicePoint(
                    new Choice.Turn(session.number), options, last, Optional.of(step(session)), Optional.empty(), 0));
            session.current = step(session);
            timers.put(session.number, chooser.deadlockTimeoutMillis(session.number, session.steps++));
            effects = new ArrayList<>();
            perform(session);
            Move move = new Move(
                    session.number,
                    effects.stream()
                            .sorted(Comparator.comparing(effect -> effect.session() != session.number))
                            .toList());
            moves.add(move);
            if (chooser.wantsFootprints()) {
                chooser.moved(move);
            }
            for (Deadlock deadlock : deadlocks) {
                chooser.victim(points.size(), deadlock);
                points.add(new ChoicePoint(
                        new Choice.Victim(deadlock.victim()),
                        deadlock.waits().stream()
                                .map(Deadlock.Wait::session)
                                .sorted()
                                .toList(),
                        session.number,
                        Optional.empty(),
                        Optional.of(deadlock),
                        0));
            }
            deadlocks.clear();
            return session.number;
        }

        private StepInfo step(Session session) {
            Op op = session.program.ops().get(session.next);
            Isolation isolation = session.program.isolation();
            if (op instanceof Op.Commit) {
                return StepInfo.commit(isolation);
            }
            if (op instanceof Op.Rollback) {
                return StepInfo.rollback(isolation);
            }
            return new StepInfo(StepInfo.Kind.STATEMENT, op.toString(), "", isolation, session.transaction == null);
        }

        private void perform(Session session) {
            clock++;
            Op op = session.program.ops().get(session.next);
            if (isEnd(op)) {
                end(session, op instanceof Op.Commit);
                return;
            }
            if (session.transaction == null) {
                session.transaction = new Transaction(
                        new TreeMap<>(rows), clock, session.program.isolation() == Isolation.SERIALIZABLE);
                transactions.add(session.transaction);
            }
            String key = key(op);
            if (!key.isEmpty() && owners.getOrDefault(key, session.number) != session.number) {
                session.waitsFor = key;
                queue.add(session.number);
                events.add(new TraceEvent.Waits(session.number, session.current, List.of(owners.get(key))));
                touch(session, op);
                breakCycle(session);
            } else {
                finish(session, op);
            }
        }

        private static String key(Op op) {
            if (op instanceof Op.Write write) {
                return write.table() + write.row();
            }
            return op instanceof Op.Lock lock ? "key " + lock.key() : "";
        }

        private void touch(Session session, Op op) {
            Footprint now = footprint(op);
            session.touched = session.touched.with(now);
            // relations that were touched before may be touched again; a key only when it comes or goes
            Footprint relations =
                    new Footprint(session.touched.reads(), withoutKeys(session.touched.writes()), Set.of(), false);
            effects.add(new Effect(session.number, session.current, relations.with(now)));
        }

        private static Set<String> withoutKeys(Set<String> names) {
            Set<String> kept = new TreeSet<>(names);
            kept.removeIf(name -> name.startsWith("key"));
            return kept;
        }

        private static Footprint footprint(Op op) {
            if (op instanceof Op.Read read) {
                return new Footprint(Set.of(read.table()), Set.of(), Set.of(), false);
            }
            if (op instanceof Op.Write write) {
                return new Footprint(Set.of(), Set.of(write.table()), Set.of(), false);
            }
            return new Footprint(Set.of(), Set.of(key(op)), Set.of(key(op)), false);
        }

        /** Does the work of a step that waits for nobody. */
        private void finish(Session session, Op op) {
            Transaction transaction = session.transaction;
            if (op instanceof Op.Read read) {
                transaction.readTables.add(read.table());
                Map<String, Version> seen =
                        session.program.isolation() == Isolation.READ_COMMITTED ? rows : transaction.snapshot;
                session.seen.append(" [");
                seen.forEach((row, version) ->
                        session.seen.append(row.startsWith(read.table()) ? row + version.content() : ""));
                session.seen.append(']');
            } else if (op instanceof Op.Write write) {
                Version current = rows.getOrDefault(key(op), new Version("", 0));
                if (session.program.isolation() != Isolation.READ_COMMITTED
                        && current.committedAt() > transaction.begun) {
                    fail(session, "40001");
                    return;
                }
                transaction.writtenTables.add(write.table());
                transaction.written.merge(
                        key(op), current.content() + Choice.letter(session.number), (old, now) -> old + now);
            }
            if (!key(op).isEmpty()) {
                owners.put(key(op), session.number);
                session.keys.add(key(op));
            }
            touch(session, op);
            session.next++;
        }

        private void end(Session session, boolean commits) {
            Transaction transaction = session.transaction;
            if (commits && transaction != null && isPivot(transaction)) {
                fail(session, "40001");
                return;
            }
            effects.add(new Effect(session.number, session.current, session.touched));
            if (transaction != null) {
                transaction.committed = clock;
                transaction.rolledBack = !commits;
                if (commits) {
                    transaction.written.forEach((row, content) -> rows.put(row, new Version(content, clock)));
                }
            }
            session.transaction = null;
            session.touched = Footprint.NONE;
            session.next++;
            session.done = session.next == session.program.ops().size();
            release(session);
        }

        /** One reads what it writes, and it read what another wrote who committed first of the three. */
        private boolean isPivot(Transaction pivot) {
            return transactions.stream()
                    .filter(out -> pivot.precedes(out) && out.committed < Long.MAX_VALUE)
                    .anyMatch(out -> transactions.stream()
                            .anyMatch(in -> in.precedes(pivot) && (in == out || out.committed < in.committed)));
        }

        private void fail(Session session, String sqlState) {
            effects.add(new Effect(session.number, session.current, Footprint.EVERYTHING));
            session.seen.append(' ').append(sqlState);
            session.outcome = new Outcome.Failed(sqlState, "");
            session.transaction.rolledBack = true;
            session.transaction = null;
            session.done = true;
            session.waitsFor = "";
            queue.remove((Integer) session.number);
            release(session);
        }

        /** Lets the first of each queue go on; what goes on waiting was looked at again. */
        private void release(Session session) {
            owners.values().removeIf(owner -> owner == session.number);
            session.keys.clear();
            for (int number : List.copyOf(queue)) {
                Session waiting = sessions.get(number);
                if (waiting.waitsFor.isEmpty()) {
                    continue;
                }
                if (owners.containsKey(waiting.waitsFor)) {
                    touch(waiting, waiting.program.ops().get(waiting.next));
                } else {
                    waiting.waitsFor = "";
                    queue.remove((Integer) number);
                    finish(waiting, waiting.program.ops().get(waiting.next));
                }
            }
        }

        private void breakCycle(Session closer) {
            List<Session> cycle = new ArrayList<>();
            Session member = closer;
            while (!member.waitsFor.isEmpty() && !cycle.contains(member)) {
                cycle.add(member);
                member = sessions.get(owners.get(member.waitsFor));
            }
            if (member != closer || closer.waitsFor.isEmpty()) {
                return;
            }
            Session victim = cycle.stream()
                    .min(Comparator.comparingInt(
                            one -> timers.get(one.number).orElse(one == closer ? 1 : Integer.MAX_VALUE)))
                    .orElseThrow();
            List<Deadlock.Wait> waits = cycle.stream()
                    .sorted(Comparator.comparingInt(one -> queue.indexOf(one.number)))
                    .map(one -> new Deadlock.Wait(one.number, one.steps - 1, 0))
                    .toList();
            deadlocks.add(new Deadlock(waits, victim.number));
            events.add(new TraceEvent.DeadlockFound(
                    victim.number, waits.stream().map(Deadlock.Wait::session).toList()));
            fail(victim, "40P01");
        }
    }
}

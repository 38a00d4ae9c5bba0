package dev.cerrojo.explorer.schedule;

import dev.cerrojo.explorer.schedule.Slot.Phase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One run of a {@link Scheduler}: the state that the sessions' threads and the driving thread share. */
final class ScheduleRun {
    private static final long SLOWEST_PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    /** How long PostgreSQL may take, after a timer, to find a deadlock and fail the statement. */
    private static final long CYCLE_ENDS_WITHIN_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private static final int NOBODY = -1;

    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private final LockMonitor monitor;
    private final Scheduler.Settings settings;
    private final Chooser chooser;
    private final long firstProbeNanos;
    private final Fault.Budget faults;
    private final List<Slot> slots = new ArrayList<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Counts what the sessions did, so that an answer about them can be known to be out of date. */
    private long version;

    private boolean abandoned;

    /** Whether a session's thread may give the next turn: the driving thread only waits. */
    private boolean passes = true;

    /** Whether a session's thread is about to give the next turn. */
    private boolean passing;

    /** Counts the turns. */
    private long turns;

    private int aborts;
    private int last = -1;

    private final List<ChoicePoint> points = new ArrayList<>();
    private final List<TraceEvent> events = new ArrayList<>();
    private final List<Long> waitNanos = new ArrayList<>();

    /** Deadlocks whose victim has been seen and not yet been made a choice. */
    private final List<Deadlock> deadlocks = new ArrayList<>();

    /** What a session's program threw, or the chooser on its thread. */
    private @Nullable Throwable failure;

    private long cycleSince;
    private int wakeUpOrders;

    /** What ended during the present turn. */
    private final List<Ended> ended = new ArrayList<>();

    /** What the open transaction of each backend touched. */
    private final Map<Integer, Touched> touched = new HashMap<>();

    private final List<Move> moves = new ArrayList<>();

    /** A step that ended. */
    private record Ended(int session, StepInfo step, int backend, boolean failed) {}

    ScheduleRun(
            List<? extends SessionProgram> programs,
            LockMonitor monitor,
            Scheduler.Settings settings,
            Chooser chooser,
            Fault.Budget faults) {
        this.faults = faults;
        this.monitor = monitor;
        this.settings = settings;
        this.firstProbeNanos = settings.firstProbe().toNanos();
        this.chooser = chooser;
        for (int i = 0; i < programs.size(); i++) {
            slots.add(new Slot(i, programs.get(i), lock.newCondition()));
        }
    }

    // ---------------------------------------------------------------- on the sessions' threads

    /** Thrown at a gate to end a session of a run that was given up. */
    private static final class Abandoned extends Error {
        private static final long serialVersionUID = 1L;

        Abandoned() {
            super("the run was given up", null, false, false);
        }
    }

    Runnable task(int session) {
        Slot slot = slots.get(session);
        Gate gate = new SlotGate(slot);
        return () -> {
            Outcome outcome = new Outcome.Stuck();
            @Nullable Throwable thrown = null;
            try {
                outcome = slot.program.run(gate);
            } catch (Abandoned e) {
                // the driving thread knows why
            } catch (RuntimeException | Error e) {
                thrown = e;
            }
            lock.lock();
            try {
                slot.phase = Phase.DONE;
                if (!abandoned) {
                    slot.outcome = outcome;
                    events.add(new TraceEvent.Ended(session, outcome));
                }
                if (thrown != null && failure == null) {
                    failure = thrown;
                }
                version++;
                passOn();
            } finally {
                lock.unlock();
            }
        };
    }

    private final class SlotGate implements Gate {
        private final Slot slot;

        SlotGate(Slot slot) {
            this.slot = slot;
        }

        @Override
        public StepResult step(StepInfo step, int backend, Action action) {
            awaitTurn(step, backend);
            StepResult result = slot.fault.isPresent()
                    ? action.befall(slot.fault.orElseThrow(), slot.deadlockTimeout)
                    : action.run(slot.deadlockTimeout);
            lock.lock();
            try {
                slot.phase = Phase.RUNNING;
                slot.waiting = false;
                slot.inside = false;
                finished(slot, result);
                version++;
            } finally {
                lock.unlock();
            }
            return result;
        }

        private void awaitTurn(StepInfo step, int backend) {
            lock.lock();
            try {
                slot.step = step;
                slot.backend = backend;
                slot.granted = false;
                slot.phase = Phase.AT_GATE;
                slot.outside = false;
                version++;
                passOn();
                while (!slot.granted) {
                    if (abandoned) {
                        throw new Abandoned();
                    }
                    slot.turn.awaitUninterruptibly();
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void note(String text) {
            lock.lock();
            try {
                events.add(new TraceEvent.Note(slot.session, text));
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Gives the next turn on this thread, whose session is through with its own, when all are quiet and nobody waits: waking the
     * driving thread for that would take as long as the statement. All else is left to that thread.
     */
    private void passOn() {
        if (!passes
                || passing
                || abandoned
                || failure != null
                || !slots.stream().allMatch(Slot::isSettled)
                || isOver()) {
            changed.signalAll();
            return;
        }
        passing = true;
        try {
            observe();
            chooseVictims();
            if (!abandoned) {
                grant(options());
            }
        } catch (RuntimeException | Error e) {
            failure = e;
            changed.signalAll();
        } finally {
            passing = false;
        }
    }

    private void finished(Slot slot, StepResult result) {
        slot.finishedAt = points.size();
        if (abandoned) {
            return;
        }
        if (result.error().filter(StepResult.Failure::isRetryable).isPresent()) {
            aborts++;
        }
        result.error().filter(StepResult.Failure::isDeadlock).ifPresent(failure -> {
            Deadlock deadlock = deadlock(slot, failure);
            deadlocks.add(deadlock);
            events.add(new TraceEvent.DeadlockFound(
                    slot.session,
                    deadlock.waits().stream().map(Deadlock.Wait::session).toList()));
        });
        events.add(new TraceEvent.Finished(slot.session, slot.step, result));
        ended.add(
                new Ended(slot.session, slot.step, slot.backend, result.error().isPresent()));
    }

    /**
     * Whether a session may be a member of a deadlock that was just told: by then PostgreSQL has let the others go on, and
     * their steps may be done.
     */
    private boolean tookPart(Slot slot) {
        return slot.phase == Phase.IN_STEP || slot.finishedAt == points.size();
    }

    /** PostgreSQL names the cycle's processes in the error's detail, whatever its language. */
    private Deadlock deadlock(Slot victim, StepResult.Failure failure) {
        Map<Integer, Slot> members = new TreeMap<>();
        members.put(victim.session, victim);
        Matcher number = NUMBER.matcher(failure.detail());
        while (number.find()) {
            for (Slot slot : slots) {
                if (tookPart(slot) && number.group().equals(Integer.toString(slot.backend))) {
                    members.put(slot.session, slot);
                }
            }
        }
        return deadlock(members.values(), victim.session);
    }

    private static Deadlock deadlock(Collection<Slot> members, int victim) {
        List<Slot> ordered = new ArrayList<>(members);
        ordered.sort(Comparator.comparingLong(slot -> slot.grantedAt));
        long closed = ordered.get(ordered.size() - 1).grantedAt;
        return new Deadlock(
                ordered.stream()
                        .map(slot -> new Deadlock.Wait(
                                slot.session, slot.steps - 1, TimeUnit.NANOSECONDS.toMillis(closed - slot.grantedAt)))
                        .toList(),
                victim);
    }

    // ---------------------------------------------------------------- on the driving thread

    Trace drive() {
        lock.lock();
        try {
            passes = false;
            settle();
            while (true) {
                List<Integer> options = options();
                if (options.isEmpty()) {
                    break;
                }
                grant(options);
                settle();
            }
            if (!isOver()) {
                endStuckSessions();
            }
            return new Trace(
                    points,
                    events,
                    slots.stream()
                            .map(slot -> java.util.Objects.requireNonNull(slot.outcome))
                            .toList(),
                    moves,
                    waitNanos,
                    wakeUpOrders);
        } catch (RuntimeException | Error e) {
            abandon();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    private List<Integer> options() {
        List<Integer> options = new ArrayList<>();
        slots.stream().filter(Slot::isOption).forEach(slot -> options.add(slot.session));
        for (Fault fault : Fault.values()) {
            if (happened(fault) < faults.of(fault)) {
                slots.stream()
                        .filter(slot -> slot.phase == Phase.AT_GATE && slot.step.canBeHitBy(fault))
                        .forEach(slot -> options.add(fault.option(slot.session)));
            }
        }
        return options;
    }

    private long happened(Fault fault) {
        return points.stream()
                .filter(point -> point.taken() instanceof Choice.Turn turn
                        && turn.fault().equals(Optional.of(fault)))
                .count();
    }

    private void grant(List<Integer> options) {
        Map<Integer, StepInfo> pending = new HashMap<>();
        options.forEach(option -> pending.put(option, next(option)));
        int option = chooser.turn(points.size(), options, last, pending);
        Choice.Turn choice = Choice.turn(option);
        Slot slot = slots.get(choice.session());
        points.add(new ChoicePoint(choice, options, last, Optional.of(next(option)), Optional.empty(), aborts));
        last = choice.session();
        slot.fault = choice.fault();
        slot.fault.ifPresent(fault -> slot.step = slot.step.hitBy(fault));
        if (canWait(slot.step)) {
            letTimersRunOut();
        }
        slot.grantedAt = System.nanoTime();
        turns++;
        if (slot.inside) {
            goOn(slot);
        } else {
            begin(slot);
        }
    }

    /** What would be done with the turn. */
    private StepInfo next(int option) {
        StepInfo step = slots.get(Fault.session(option)).next();
        return Fault.of(option).map(step::hitBy).orElse(step);
    }

    private void begin(Slot slot) {
        slot.deadlockTimeout = chooser.deadlockTimeoutMillis(slot.session, slot.steps);
        slot.steps++;
        slot.granted = true;
        slot.phase = Phase.IN_STEP;
        events.add(new TraceEvent.Started(slot.session, slot.step));
        slot.turn.signal();
    }

    private void goOn(Slot slot) {
        slot.inside = false;
        slot.waiting = false;
        events.add(new TraceEvent.Note(slot.session, "goes on inside of the statement"));
        lock.unlock();
        try {
            monitor.open(slot.session);
        } finally {
            lock.lock();
        }
    }

    private static boolean canWait(StepInfo step) {
        return !step.isEnd();
    }

    /** Waits until every session is quiet and this thread is to give the next turn, and makes each deadlock's victim a choice. */
    private void settle() {
        long turn = turns;
        long deadline = System.nanoTime() + settings.stepTimeout().toNanos();
        long delay = onlyKnownWaiters() ? 0 : firstProbeNanos;
        cycleSince = 0;
        while (true) {
            awaitChange(delay);
            rethrowFailure();
            if (turn != turns) {
                turn = turns;
                deadline = System.nanoTime() + settings.stepTimeout().toNanos();
                delay = untilFirstProbe();
                cycleSince = 0;
                continue;
            }
            List<Slot> inStep = inStep();
            if (slots.stream().allMatch(Slot::isSettled)) {
                break;
            }
            if (slots.stream().allMatch(slot -> slot.phase != Phase.RUNNING || waitsOutside(slot))) {
                long asked = version;
                Map<Integer, Set<Integer>> blockers = inStep.isEmpty() ? Map.of() : askBlockers(inStep);
                if (asked != version) {
                    delay = onlyKnownWaiters() ? 0 : firstProbeNanos;
                    continue;
                }
                if (allWait(inStep, blockers)) {
                    noteWaits(inStep, blockers);
                    break;
                }
                giveUpOnCycle(inStep, blockers);
                if (System.nanoTime() > deadline) {
                    throw new Unsettled(describe(inStep, blockers));
                }
            } else if (System.nanoTime() > deadline) {
                throw new Unsettled("a session did not come to its next step within " + settings.stepTimeout()
                        + ": it is blocked outside of PostgreSQL");
            }
            delay = Math.min(Math.max(delay * 2, firstProbeNanos), SLOWEST_PROBE_NANOS);
        }
        observe();
        chooseVictims();
    }

    /** Asked anew each time: what it waits for may have come. */
    private boolean waitsOutside(Slot slot) {
        Optional<String> reason = slot.program.waitsOutside();
        if (reason.isPresent() && !slot.outside) {
            events.add(new TraceEvent.Note(slot.session, "waits outside of PostgreSQL: " + reason.orElseThrow()));
        }
        slot.outside = reason.isPresent();
        return slot.outside;
    }

    /** Whether the step that had the turn is done, and what is left waited before: then there is nothing to wait for. */
    private boolean onlyKnownWaiters() {
        return slots.stream().allMatch(slot -> slot.isSettled() || slot.waiting);
    }

    private long untilFirstProbe() {
        return last < 0 || onlyKnownWaiters() ? 0 : slots.get(last).grantedAt + firstProbeNanos - System.nanoTime();
    }

    /** Waits until something happens and no session runs, or for so long. Meanwhile sessions' threads may give turns. */
    private void awaitChange(long nanos) {
        passes = true;
        try {
            long left = nanos;
            long seen = version;
            while (passing || (left > 0 && (seen == version || !onlyKnownWaiters()))) {
                if (!passing && seen == version && slots.stream().allMatch(Slot::isSettled)) {
                    return;
                }
                left = await(changed, passing ? firstProbeNanos : left);
            }
        } finally {
            passes = false;
        }
    }

    @SuppressWarnings("WaitNotInLoop") // every caller loops
    private static long await(Condition condition, long nanos) {
        try {
            return condition.awaitNanos(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unsettled("the exploration was interrupted");
        }
    }

    private void rethrowFailure() {
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
    }

    private List<Slot> inStep() {
        return slots.stream().filter(slot -> slot.phase == Phase.IN_STEP).toList();
    }

    private Map<Integer, Set<Integer>> askBlockers(List<Slot> inStep) {
        List<Integer> backends = inStep.stream().map(slot -> slot.backend).toList();
        lock.unlock();
        try {
            return monitor.blockers(backends);
        } finally {
            lock.lock();
        }
    }

    /** Whether each of these waits, and following its blockers ends at a session that needs a turn to go on. */
    private boolean allWait(List<Slot> inStep, Map<Integer, Set<Integer>> blockers) {
        for (Slot slot : inStep) {
            if (!endsAtQuietSessions(slot, blockers, new ArrayList<>())) {
                return false;
            }
        }
        return true;
    }

    private boolean endsAtQuietSessions(Slot slot, Map<Integer, Set<Integer>> blockers, List<Integer> path) {
        Set<Integer> mine = blockers.getOrDefault(slot.backend, Set.of());
        if (mine.isEmpty() || path.contains(slot.backend)) {
            // it runs, or it is in a cycle: PostgreSQL has yet to end that
            return false;
        }
        path.add(slot.backend);
        for (int blocker : mine) {
            if (monitor.isGatekeeper(blocker)) {
                continue;
            }
            @Nullable Slot inPostgres = null;
            for (Slot other : slots) {
                if (other.phase == Phase.IN_STEP && other.backend == blocker) {
                    inPostgres = other;
                }
            }
            if (inPostgres != null && !endsAtQuietSessions(inPostgres, blockers, path)) {
                return false;
            }
            if (inPostgres == null && monitor.sessionOf(blocker).isEmpty()) {
                return false;
            }
        }
        path.remove(path.size() - 1);
        return true;
    }

    /** A timer set to choose the victim can run out before the cycle is closed: then nothing ends it. */
    private void giveUpOnCycle(List<Slot> inStep, Map<Integer, Set<Integer>> blockers) {
        List<Slot> cycle = cycle(inStep, blockers);
        long now = System.nanoTime();
        if (cycle.stream().noneMatch(slot -> slot.deadlockTimeout.isPresent())) {
            // the timer of the wait that closed it has yet to run out, however long the server's default is
            cycleSince = 0;
        } else if (cycleSince == 0) {
            cycleSince = now;
        } else if (now - cycleSince > firstTimerNanos(cycle) + CYCLE_ENDS_WITHIN_NANOS) {
            // a deadlock that ended during this turn is a choice before this one
            throw new Diverged(
                    points.size() + deadlocks.size(),
                    "a deadlock that no timer ended",
                    Optional.of(deadlock(cycle, NOBODY)));
        }
    }

    /** Timers that do not run out while a step may last are none. */
    private long firstTimerNanos(List<Slot> cycle) {
        return cycle.stream()
                .mapToLong(slot -> TimeUnit.MILLISECONDS.toNanos(slot.deadlockTimeout.orElse(1)))
                .filter(nanos -> nanos < settings.stepTimeout().toNanos())
                .min()
                .orElse(0);
    }

    /** The sessions that wait for each other in PostgreSQL's eyes; empty when there is no cycle. */
    private static List<Slot> cycle(List<Slot> inStep, Map<Integer, Set<Integer>> blockers) {
        List<Slot> members = new ArrayList<>(inStep);
        boolean smaller = true;
        while (smaller) {
            smaller = members.removeIf(slot -> members.stream()
                    .noneMatch(other ->
                            blockers.getOrDefault(slot.backend, Set.of()).contains(other.backend)));
        }
        return members;
    }

    private void noteWaits(List<Slot> inStep, Map<Integer, Set<Integer>> blockers) {
        long now = System.nanoTime();
        for (Slot slot : inStep) {
            Set<Integer> mine = blockers.getOrDefault(slot.backend, Set.of());
            List<Integer> sessions = sessionsOf(mine);
            if (!slot.inside && mine.stream().anyMatch(monitor::isGatekeeper)) {
                slot.inside = true;
                slot.waiting = true;
                events.add(new TraceEvent.Note(slot.session, "stops inside of the statement"));
            } else if (!slot.waiting) {
                slot.waiting = true;
                slot.waitingSince = now;
                waitNanos.add(now - slot.grantedAt);
                events.add(new TraceEvent.Waits(slot.session, slot.step, sessions));
            } else if (!slot.inside) {
                noteOvertaken(slot, sessions);
            }
            slot.waitsFor = Set.copyOf(sessions);
        }
    }

    /**
     * Two sessions were let go on by one turn, and now one waits for the other, which it did not before: who came first was
     * PostgreSQL's choice, or the operating system's.
     */
    private void noteOvertaken(Slot slot, List<Integer> sessions) {
        for (int blocker : sessions) {
            boolean wokenToo = ended.stream().anyMatch(step -> step.session() == blocker && blocker != last);
            if (wokenToo && !slot.waitsFor.contains(blocker)) {
                wakeUpOrders++;
            }
        }
    }

    private List<Integer> sessionsOf(Collection<Integer> backends) {
        return backends.stream()
                .map(monitor::sessionOf)
                .filter(OptionalInt::isPresent)
                .map(OptionalInt::getAsInt)
                .distinct()
                .sorted()
                .toList();
    }

    /** A wait that begins now must find the deadlock timers of all earlier waits run out: then it is the victim. */
    private void letTimersRunOut() {
        while (true) {
            long now = System.nanoTime();
            long left = slots.stream()
                    .filter(slot -> slot.waiting && !slot.inside && slot.deadlockTimeout.isEmpty())
                    .mapToLong(
                            slot -> slot.waitingSince + settings.timersRunOut().toNanos() - now)
                    .max()
                    .orElse(0);
            if (left <= 0) {
                return;
            }
            await(changed, left);
        }
    }

    private String describe(List<Slot> inStep, Map<Integer, Set<Integer>> blockers) {
        StringBuilder text = new StringBuilder(
                "after " + settings.stepTimeout() + " a step had neither ended nor waited" + " for another session:");
        for (Slot slot : inStep) {
            text.append(" session ")
                    .append(Choice.letter(slot.session))
                    .append(" in \"")
                    .append(slot.step.sql())
                    .append("\", blocked by backends ")
                    .append(blockers.getOrDefault(slot.backend, Set.of()))
                    .append(';');
        }
        return text.toString();
    }

    /** Finds out what the turn touched: its own step, and those that had waited and went on. */
    private void observe() {
        if (chooser.wantsFootprints() && last >= 0) {
            List<Ended> finished = new ArrayList<>(ended);
            boolean releases = finished.stream().anyMatch(step -> step.step().isEnd() || step.failed());
            for (Slot slot : inStep()) {
                // what waits may have gone on a little, and wait again
                if (slot.session == last || releases) {
                    finished.add(new Ended(slot.session, unfinished(slot.step), slot.backend, false));
                }
            }
            Map<Integer, Footprint> held = held(finished);
            Move move = new Move(
                    last,
                    slots.get(last).fault,
                    finished.stream()
                            .sorted(Comparator.comparing(step -> step.session() != last))
                            .map(step -> effect(step, held))
                            .toList());
            moves.add(move);
            chooser.moved(move);
        }
        ended.clear();
    }

    /** A COMMIT that stands at a gate has run some of its deferred checks. */
    private static StepInfo unfinished(StepInfo step) {
        return step.isEnd() ? StepInfo.deferredChecks(step.isolation()) : step;
    }

    private Map<Integer, Footprint> held(List<Ended> finished) {
        List<Integer> backends = finished.stream()
                .filter(step -> !step.step().isEnd() && !step.failed())
                .map(Ended::backend)
                .toList();
        if (backends.isEmpty()) {
            return Map.of();
        }
        lock.unlock();
        try {
            return monitor.footprints(backends);
        } finally {
            lock.lock();
        }
    }

    /** After a failure PostgreSQL has released the locks, and nothing tells what was touched. */
    private Effect effect(Ended ended, Map<Integer, Footprint> held) {
        Touched before = touched.getOrDefault(ended.backend(), Touched.NOTHING);
        if (ended.failed() || ended.step().isEnd()) {
            touched.put(ended.backend(), before.afterEnd());
            return new Effect(
                    ended.session(), ended.step(), ended.failed() ? Footprint.EVERYTHING : before.footprint());
        }
        Footprint now = held.getOrDefault(ended.backend(), Footprint.NONE);
        touched.put(ended.backend(), before.and(now));
        if (ended.step().kind() == StepInfo.Kind.COMPOUND) {
            return new Effect(ended.session(), ended.step(), Footprint.EVERYTHING);
        }
        return new Effect(ended.session(), ended.step(), before.step(now, ended.session() != last));
    }

    private void chooseVictims() {
        for (Deadlock deadlock : List.copyOf(deadlocks)) {
            chooser.victim(points.size(), deadlock);
            points.add(new ChoicePoint(
                    new Choice.Victim(deadlock.victim()),
                    deadlock.waits().stream()
                            .map(Deadlock.Wait::session)
                            .sorted()
                            .toList(),
                    last,
                    Optional.empty(),
                    Optional.of(deadlock),
                    aborts));
        }
        deadlocks.clear();
    }

    /** Nobody can go on, and PostgreSQL sees no cycle: the wait is for a connection whose owner waits too, or is gone. */
    private void endStuckSessions() {
        for (Slot slot : slots) {
            if (slot.phase != Phase.DONE) {
                slot.outcome = new Outcome.Stuck();
                events.add(new TraceEvent.Ended(slot.session, slot.outcome));
            }
        }
        abandon();
    }

    /** Ends every session, whatever it is doing; also when this thread is interrupted, which may be why. */
    private void abandon() {
        abandoned = true;
        slots.forEach(slot -> slot.turn.signal());
        long deadline = System.nanoTime() + settings.stepTimeout().toNanos();
        long cancelAt = System.nanoTime();
        boolean interrupted = Thread.interrupted();
        try {
            while (!isOver()) {
                if (System.nanoTime() >= cancelAt) {
                    slots.stream().filter(slot -> slot.phase != Phase.DONE).forEach(slot -> slot.program.giveUp());
                    cancelStatements();
                    cancelAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
                }
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("sessions of a run that was given up did not end within "
                            + settings.stepTimeout() + ": " + running());
                }
                interrupted |= isInterruptedWithin(TimeUnit.MILLISECONDS.toNanos(2));
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean isOver() {
        return slots.stream().allMatch(slot -> slot.phase == Phase.DONE);
    }

    /** Which sessions go on, and with what, for people. */
    private String running() {
        return slots.stream()
                .filter(slot -> slot.phase != Phase.DONE)
                .map(slot -> "session " + Choice.letter(slot.session)
                        + (slot.phase == Phase.IN_STEP ? " in \"" + slot.step.sql() + "\"" : " outside of PostgreSQL"))
                .collect(Collectors.joining(", "));
    }

    @SuppressWarnings("WaitNotInLoop") // its one caller loops
    private boolean isInterruptedWithin(long nanos) {
        try {
            changed.awaitNanos(nanos);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    private void cancelStatements() {
        for (Slot slot : inStep()) {
            lock.unlock();
            try {
                monitor.cancel(slot.backend);
            } finally {
                lock.lock();
            }
        }
    }
}

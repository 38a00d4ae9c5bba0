package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.schedule.LockMonitor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGNotification;

/**
 * Runs the steps of one permutation as the tester does ({@code src/test/isolation/isolationtester.c} in PostgreSQL's sources
 * says how): a step that waits for a lock is reported as waiting, and again when it is complete; markers hold that back.
 *
 * <p>Unlike there, a permutation in which nobody can ever go on is given up at once: PostgreSQL says who waits for whom.
 */
final class PermutationRun {
    /** How long a step may run before it is asked for whom it waits. */
    private static final long FIRST_MILLIS = 10;

    /** A step that neither ends nor waits is given up. */
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final List<Worker> workers;
    private final List<Launch> launches = new ArrayList<>();
    private final LockMonitor monitor;
    private final Consumer<String> out;

    /** Whether a wait may end although nobody can go on. */
    private final boolean mayTimeOut;

    private final Map<Worker, Launch> active = new HashMap<>();
    private final List<Launch> waiting = new ArrayList<>();
    private boolean newNotice;

    /** A step of the permutation. */
    private static final class Launch {
        final SpecStep step;
        final Worker worker;
        final List<Permutation.Marker> markers;

        /** For each marker about notices, how many its session must have sent. */
        final Map<Permutation.Marker, Integer> noticesWanted = new HashMap<>();

        Launch(SpecStep step, Worker worker, List<Permutation.Marker> markers) {
            this.step = step;
            this.worker = worker;
            this.markers = markers;
        }

        boolean isHeldBackOnce() {
            return markers.stream().anyMatch(Permutation.Marker.Always.class::isInstance);
        }
    }

    /** The permutation cannot go on. */
    static final class Stalled extends Exception {
        private static final long serialVersionUID = 1L;

        Stalled(String message) {
            super(message);
        }
    }

    PermutationRun(
            Spec spec, List<Worker> workers, Permutation permutation, LockMonitor monitor, Consumer<String> out) {
        this.workers = workers;
        this.monitor = monitor;
        this.out = out;
        this.mayTimeOut = spec.setsTimeout();
        for (Permutation.Entry entry : permutation.steps()) {
            for (int i = 0; i < workers.size(); i++) {
                for (SpecStep step : spec.sessions().get(i).steps()) {
                    if (step.name().equals(entry.step())) {
                        launches.add(new Launch(step, workers.get(i), entry.markers()));
                    }
                }
            }
        }
    }

    /**
     * Runs them.
     *
     * @throws Stalled when the order cannot be followed; queries may still run then
     */
    void run() throws Stalled {
        for (Launch launch : launches) {
            awaitIdle(launch.worker);
            send(launch);
            boolean mustWait = isStillWaiting(launch, true, false);
            tryAll(true);
            if (mustWait) {
                waiting.add(launch);
            }
        }
        tryAll(false);
        if (!waiting.isEmpty()) {
            throw new Stalled("the markers of its last steps wait for each other: step \""
                    + waiting.get(0).step.name() + "\" can never be complete");
        }
    }

    private void send(Launch launch) {
        launch.worker.send(launch.step.block().sql());
        active.put(launch.worker, launch);
        for (Permutation.Marker marker : launch.markers) {
            if (marker instanceof Permutation.Marker.Notices notices) {
                launch.noticesWanted.put(
                        marker, notices.count() + workerOf(notices.step()).noticesSeen());
            }
        }
    }

    private Worker workerOf(String step) {
        return launches.stream()
                .filter(launch -> launch.step.name().equals(step))
                .map(launch -> launch.worker)
                .findFirst()
                .orElseThrow();
    }

    /** The next step of a session that still waits can only be sent when that wait is over. */
    private void awaitIdle(Worker worker) throws Stalled {
        long since = System.nanoTime();
        while (true) {
            Launch old = active.get(worker);
            if (old == null) {
                return;
            }
            if (!isStillWaiting(old, false, true)) {
                waiting.remove(old);
            }
            tryAll(true);
            if (active.get(worker) != null) {
                giveUpIfStalled(old, since);
            }
        }
    }

    /** Looks at all that waits, again while that lets other steps go. */
    private void tryAll(boolean mayWait) throws Stalled {
        int before;
        boolean heldBack;
        do {
            newNotice = false;
            before = waiting.size();
            heldBack = false;
            for (Launch launch : List.copyOf(waiting)) {
                if (isStillWaiting(launch, mayWait, true)) {
                    heldBack |= !launch.markers.isEmpty();
                } else {
                    waiting.remove(launch);
                }
            }
        } while (heldBack && (waiting.size() < before || newNotice));
    }

    /**
     * Reports a step when it is complete.
     *
     * @param mayWait whether it may be left waiting for a lock
     * @param again whether it was reported as waiting before
     * @return whether it is not complete yet
     */
    private boolean isStillWaiting(Launch launch, boolean mayWait, boolean again) throws Stalled {
        if (!again && launch.isHeldBackOnce()) {
            reportWaiting(launch);
            return true;
        }
        long since = System.nanoTime();
        while (!launch.worker.awaitDone(FIRST_MILLIS)) {
            printNotices(launch.worker);
            if (mayWait && waitsForAnother(launch.worker) && !launch.worker.isDone()) {
                if (!again) {
                    reportWaiting(launch);
                }
                return true;
            }
            giveUpIfStalled(launch, since);
        }
        printNotices(launch.worker);
        if (isHeldBack(launch)) {
            if (!again) {
                reportWaiting(launch);
            }
            return true;
        }
        reportComplete(launch, again);
        return false;
    }

    private boolean isHeldBack(Launch launch) {
        return launch.markers.stream().anyMatch(marker -> isHeldBack(launch, marker));
    }

    private boolean isHeldBack(Launch launch, Permutation.Marker marker) {
        if (marker instanceof Permutation.Marker.After after) {
            return active.values().stream().anyMatch(other -> other.step.name().equals(after.step()));
        } else if (marker instanceof Permutation.Marker.Notices notices) {
            return workerOf(notices.step()).noticesSeen() < launch.noticesWanted.getOrDefault(marker, 0);
        }
        return false;
    }

    private void reportWaiting(Launch launch) {
        out.accept("step " + launch.step.name() + ": " + launch.step.block().sql() + " <waiting ...>\n");
    }

    private void reportComplete(Launch launch, boolean again) {
        out.accept("step " + launch.step.name() + ": "
                + (again ? "<... completed>" : launch.step.block().sql()) + "\n");
        Answer answer = launch.worker.answer();
        answer.results().forEach(result -> out.accept(ResultTable.of(result)));
        answer.error()
                .ifPresent(error ->
                        out.accept(error.severity() + ":  " + error.failure().message() + "\n"));
        if (!launch.worker.isClosed()) {
            launch.worker.notifications().forEach(notification -> printNotification(launch.worker, notification));
        }
        active.remove(launch.worker);
    }

    private void printNotices(Worker worker) {
        for (String notice : worker.newNotices()) {
            newNotice = true;
            out.accept(worker.session() + ": " + notice + "\n");
        }
    }

    private void printNotification(Worker worker, PGNotification notification) {
        String sender = workers.stream()
                .filter(other -> other.backend() == notification.getPID())
                .map(Worker::session)
                .findFirst()
                .orElse("PID " + notification.getPID());
        out.accept(worker.session() + ": NOTIFY \"" + notification.getName() + "\" with payload \""
                + notification.getParameter() + "\" from " + sender + "\n");
    }

    // ---------------------------------------------------------------- who waits for whom

    private boolean waitsForAnother(Worker worker) {
        return monitor.blockers(List.of(worker.backend())).getOrDefault(worker.backend(), Set.of()).stream()
                .anyMatch(backend -> monitor.sessionOf(backend).isPresent());
    }

    private void giveUpIfStalled(Launch launch, long since) throws Stalled {
        if (!mayTimeOut && nobodyCanGoOn()) {
            // what was asked may be out of date by now: whoever is stuck stays so
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            if (nobodyCanGoOn()) {
                throw new Stalled("step \"" + launch.step.name() + "\" waits for what only a later step could give");
            }
        }
        if (System.nanoTime() - since > LONGEST_NANOS) {
            throw new Stalled("step \"" + launch.step.name() + "\" did not end within "
                    + TimeUnit.NANOSECONDS.toSeconds(LONGEST_NANOS) + " s");
        }
    }

    /** Whether every query that runs waits for a session that does nothing, and every one that is done is held back. */
    private boolean nobodyCanGoOn() {
        List<Integer> backends = active.keySet().stream()
                .filter(worker -> !worker.isDone())
                .map(Worker::backend)
                .toList();
        Map<Integer, Set<Integer>> blockers = monitor.blockers(backends);
        return backends.stream().allMatch(backend -> endsAtIdleSessions(backend, blockers, new HashSet<>()))
                && active.values().stream()
                        .filter(launch -> launch.worker.isDone())
                        .allMatch(this::isHeldBack)
                && backends.stream().noneMatch(backend -> workerOf(backend).isDone());
    }

    private Worker workerOf(int backend) {
        return workers.stream()
                .filter(worker -> worker.backend() == backend)
                .findFirst()
                .orElseThrow();
    }

    /** Not when it runs, when somebody else blocks it, or in a cycle: PostgreSQL has yet to end that. */
    private boolean endsAtIdleSessions(int backend, Map<Integer, Set<Integer>> blockers, Set<Integer> path) {
        Set<Integer> mine = blockers.getOrDefault(backend, Set.of());
        if (mine.isEmpty() || !path.add(backend)) {
            return false;
        }
        for (int blocker : mine) {
            @Nullable Set<Integer> blocked = blockers.get(blocker);
            OptionalInt session = monitor.sessionOf(blocker);
            if (session.isEmpty() || (blocked != null && !endsAtIdleSessions(blocker, blockers, path))) {
                return false;
            }
        }
        path.remove(backend);
        return true;
    }

    /** Cancels what still runs, and waits until it has ended. */
    void cancel() {
        for (Worker worker : active.keySet()) {
            while (!worker.awaitDone(5)) {
                monitor.cancel(worker.backend());
            }
            worker.answer();
        }
        active.clear();
    }
}

package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.Choice;
import dev.cerrojo.explorer.schedule.Chooser;
import dev.cerrojo.explorer.schedule.Deadlock;
import dev.cerrojo.explorer.schedule.Diverged;
import dev.cerrojo.explorer.schedule.StepInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** Follows a path, then lets each session run as far as it can. */
class PathChooser implements Chooser {
    /** A timer that does not run out while another member of the cycle is to be the victim. */
    private static final int NEVER_MILLIS = 60_000;

    private final List<Path> path;

    /** Deadlocks whose victim is forced, by their position. */
    private final SortedMap<Integer, Force> forces = new TreeMap<>();

    private record Force(Deadlock deadlock, int victim, int victimMillis) {}

    PathChooser(List<Path> path) {
        this.path = path;
        for (int i = 0; i < path.size(); i++) {
            Path node = path.get(i);
            if (node.forced() && node.deadlock() != null) {
                force(i, node.deadlock(), 0);
            }
        }
    }

    /**
     * Sets the timers so that the victim wanted at a position is the one whose timer runs out first in the closed cycle.
     *
     * @param position where the path chooses the victim
     * @param deadlock the deadlock as it was seen
     * @param attempt how often that was tried in vain
     */
    void force(int position, Deadlock deadlock, int attempt) {
        if (position >= path.size() || !(path.get(position).choice() instanceof Choice.Victim)) {
            // the path does not say who: PostgreSQL may choose
            return;
        }
        int victim = path.get(position).choice().session();
        long waited = deadlock.waits().stream()
                .filter(wait -> wait.session() == victim)
                .mapToLong(Deadlock.Wait::sinceMillis)
                .findFirst()
                .orElse(0);
        // its wait began before the cycle was closed: the timer must outlast that, with room for a slow machine
        int millis = victim == deadlock.closer() ? 1 : (int) ((10 + 2 * waited) << attempt);
        forces.put(position, new Force(deadlock, victim, millis));
    }

    /**
     * {@return whether the victim that was wanted cannot be: PostgreSQL failed a session whose timer does not run out. It
     * finds at once that two sessions wait for each other on one and the same lock, before any timer; the one that closes
     * such a cycle is always the victim.}
     */
    boolean isImpossible(Diverged diverged) {
        return diverged.deadlock()
                .filter(deadlock -> forces.containsKey(diverged.position()))
                .flatMap(deadlock -> deadlock.waits().stream()
                        .filter(wait -> wait.session() == deadlock.victim())
                        .findFirst())
                .filter(wait ->
                        deadlockTimeoutMillis(wait.session(), wait.step()).equals(OptionalInt.of(NEVER_MILLIS)))
                .isPresent();
    }

    @Override
    public int turn(int position, List<Integer> options, int last, Map<Integer, StepInfo> pending) {
        if (position >= path.size()) {
            return options.contains(last) ? last : options.get(0);
        }
        Path wanted = path.get(position);
        int session = wanted.choice().session();
        char letter = Choice.letter(session);
        if (!(wanted.choice() instanceof Choice.Turn turn)) {
            throw new Diverged(position, "a deadlock with victim " + letter + " was expected", Optional.empty());
        }
        StepInfo step = pending.get(wanted.choice().option());
        if (step == null) {
            throw new Diverged(
                    position,
                    turn.fault().isPresent()
                            ? "no such fault can befall " + letter + " here"
                            : "it is " + letter + "'s turn, but that session waits or is done",
                    Optional.empty());
        }
        if (wanted.sql() != null && !wanted.sql().equals(step.sql())) {
            throw Diverged.byAnotherStep(
                    position,
                    "session " + letter + " does \"" + step.sql() + "\", where it did \"" + wanted.sql() + "\" before");
        }
        return turn.option();
    }

    @Override
    public void victim(int position, Deadlock deadlock) {
        if (position >= path.size()) {
            return;
        }
        Choice wanted = path.get(position).choice();
        if (!(wanted instanceof Choice.Victim)) {
            throw new Diverged(position, "a deadlock that was not there before", Optional.empty());
        }
        if (wanted.session() != deadlock.victim()) {
            throw new Diverged(
                    position,
                    "the deadlock's victim was " + Choice.letter(deadlock.victim()) + " instead of "
                            + Choice.letter(wanted.session()),
                    Optional.of(deadlock));
        }
    }

    /** One wait may be in several deadlocks, and end only the last: its timer outlasts the others then. */
    @Override
    public OptionalInt deadlockTimeoutMillis(int session, int step) {
        List<Force> about = forces.values().stream()
                .filter(force -> force.deadlock().waits().stream()
                        .anyMatch(wait -> wait.session() == session && wait.step() == step))
                .toList();
        if (about.isEmpty()) {
            return OptionalInt.empty();
        }
        int earlier = 0;
        for (Force force : about) {
            if (force.victim() == session) {
                return OptionalInt.of(Math.min(NEVER_MILLIS, force.victimMillis() + 2 * earlier));
            }
            earlier = Math.max(earlier, force.victimMillis());
        }
        return OptionalInt.of(NEVER_MILLIS);
    }
}

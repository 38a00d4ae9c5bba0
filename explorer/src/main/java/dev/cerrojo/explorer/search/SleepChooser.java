package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.Choice;
import dev.cerrojo.explorer.schedule.ChoicePoint;
import dev.cerrojo.explorer.schedule.Deadlock;
import dev.cerrojo.explorer.schedule.Move;
import dev.cerrojo.explorer.schedule.StepInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Follows a path, then gives no turn that need not be given: a turn given before at the same moment sleeps until a move
 * that depends on it.
 */
final class SleepChooser extends PathChooser {
    private final Dependence dependence;
    private final Map<Integer, Move> asleepAtBranch;
    private Map<Integer, Move> asleep = new HashMap<>();

    /** How many choices the path makes before the one that leaves known schedules; that one is its last. */
    private final int branch;

    /** For each turn given behind the path, what slept. */
    private final List<Map<Integer, Move>> sleeping = new ArrayList<>();

    private final List<Move> moves = new ArrayList<>();
    private final List<ChoicePoint> points = new ArrayList<>();

    SleepChooser(List<Path> path, Map<Integer, Move> asleepAtBranch, Dependence dependence) {
        super(path);
        this.dependence = dependence;
        this.asleepAtBranch = asleepAtBranch;
        this.branch = path.size() - 1;
    }

    @Override
    public void restart() {
        asleep = new HashMap<>(asleepAtBranch);
        sleeping.clear();
        moves.clear();
        points.clear();
    }

    @Override
    public boolean wantsFootprints() {
        return true;
    }

    @Override
    public int turn(int position, List<Integer> options, int last, Map<Integer, StepInfo> pending) {
        int option = position <= branch ? super.turn(position, options, last, pending) : awake(options, last);
        points.add(new ChoicePoint(
                Choice.turn(option), options, last, Optional.ofNullable(pending.get(option)), Optional.empty(), 0));
        return option;
    }

    private int awake(List<Integer> options, int last) {
        sleeping.add(Map.copyOf(asleep));
        List<Integer> awake =
                options.stream().filter(session -> !asleep.containsKey(session)).toList();
        if (awake.isEmpty()) {
            throw new Redundant();
        }
        return awake.contains(last) ? last : awake.get(0);
    }

    @Override
    public void victim(int position, Deadlock deadlock) {
        super.victim(position, deadlock);
        points.add(new ChoicePoint(
                new Choice.Victim(deadlock.victim()),
                deadlock.waits().stream().map(Deadlock.Wait::session).sorted().toList(),
                -1,
                Optional.empty(),
                Optional.of(deadlock),
                0));
    }

    @Override
    public void moved(Move move) {
        moves.add(move);
        if (points.size() > branch) {
            asleep.values().removeIf(sleeper -> dependence.between(sleeper, move));
            move.sessions().forEach(asleep::remove);
        }
    }

    /** {@return what slept when the turn behind the path with this number, from 0, was given} */
    Map<Integer, Move> sleeping(int number) {
        return sleeping.get(number);
    }

    /** {@return the choices made, also in a run that was given up} */
    List<ChoicePoint> points() {
        return points;
    }

    /** {@return what each turn did, also in a run that was given up} */
    List<Move> moves() {
        return moves;
    }
}

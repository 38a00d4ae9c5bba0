package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.Choice;
import dev.cerrojo.explorer.schedule.ChoicePoint;
import dev.cerrojo.explorer.schedule.Fault;
import dev.cerrojo.explorer.schedule.Move;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs one of all schedules that differ only in the order of independent moves, sometimes more: dynamic partial-order
 * reduction with source sets (Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction, POPL 2014) and
 * sleep sets (Godefroid 1996). Two moves of a run that depend on each other, with nothing between them that puts them in
 * order, are a race: the schedule in which the second comes first is planned, unless one that covers it is.
 *
 * <p>The tree of moments is kept, so that schedules can be run in any order: what sleeps beside a turn is what was given the
 * turn at the same moment before, and each of those is run to its end sooner or later.
 */
final class ReducedFrontier extends Frontier {
    private final Dependence dependence;

    ReducedFrontier(Dependence dependence) {
        this.dependence = dependence;
    }

    @Override
    boolean isCovered(Item item) {
        return item.node != null
                && item.path != null
                && item.path.choice() instanceof Choice.Turn turn
                && (item.node.asleep.containsKey(turn.option()) || item.node.given.containsKey(turn.option()));
    }

    @Override
    PathChooser chooser(Item item) {
        boolean isTurn = item.path != null && item.path.choice() instanceof Choice.Turn;
        Map<Integer, Move> asleep = item.node != null && isTurn ? item.node.asleepBeside() : Map.of();
        return new SleepChooser(item.choices(), asleep, dependence);
    }

    @Override
    boolean expand(Item item, PathChooser chooser, Execution execution) {
        SleepChooser followed = (SleepChooser) chooser;
        return grow(
                item, followed, execution.trace().points(), execution.trace().moves());
    }

    /** Its races count too, as far as it went. */
    @Override
    boolean redundant(Item item, PathChooser chooser) {
        SleepChooser followed = (SleepChooser) chooser;
        return grow(item, followed, followed.points(), followed.moves());
    }

    private boolean grow(Item item, SleepChooser chooser, List<ChoicePoint> points, List<Move> moves) {
        boolean learned = false;
        for (Move move : moves) {
            learned |= dependence.learn(move);
        }
        if (learned && item.node != null) {
            return false;
        }
        List<Node> nodes = nodes(item, chooser, points, moves);
        planRaces(nodes, moves);
        return true;
    }

    /** Makes the moments of a run, those that are known already left as they are; one for each move. */
    private List<Node> nodes(Item item, SleepChooser chooser, List<ChoicePoint> points, List<Move> moves) {
        List<Node> nodes = new ArrayList<>();
        for (Node known = item.node; known != null; known = known.parent) {
            nodes.add(0, known);
        }
        int known = nodes.size();
        @Nullable Node last = item.node;
        @Nullable Path path = item.path;
        int preemptions = item.preemptions;
        if (last != null && item.path != null && item.path.choice() instanceof Choice.Turn turn) {
            last.given.put(turn.option(), moves.get(known - 1));
        }
        int turns = 0;
        for (int i = item.length; i < points.size(); i++) {
            ChoicePoint point = points.get(i);
            if (point.taken() instanceof Choice.Turn turn) {
                last = new Node(last, path, i, point, preemptions, chooser.sleeping(turns++));
                last.planned.add(turn.option());
                last.given.put(turn.option(), moves.get(nodes.size()));
                nodes.add(last);
                if (branchesFully(i)) {
                    planOthers(last);
                }
                planFaults(last);
            } else {
                planVictims(last, path, point, preemptions, i);
            }
            path = Path.taken(path, point);
            preemptions += point.isPreemptedBy(point.taken().option()) ? 1 : 0;
        }
        return nodes;
    }

    /** Every member of the cycle is the victim once. */
    private void planVictims(
            @Nullable Node last, @Nullable Path path, ChoicePoint point, int preemptions, int position) {
        for (int session : point.options()) {
            if (session != point.taken().session()) {
                add(Path.instead(path, point, session), position + 1, preemptions, point.aborts(), last);
            }
        }
    }

    /**
     * A fault is no move that must come some time, so no race shows that it could have come here: each one is planned wherever
     * it can befall a session.
     */
    private void planFaults(Node node) {
        node.point.options().stream()
                .filter(option -> Fault.of(option).isPresent()
                        && !node.planned.contains(option)
                        && !node.asleep.containsKey(option))
                .forEach(option -> plan(node, option));
    }

    /** The moves that must come before each move, by program order and dependence. */
    private BitSet[] happensBefore(List<Move> moves) {
        BitSet[] before = new BitSet[moves.size()];
        for (int j = 0; j < moves.size(); j++) {
            before[j] = new BitSet();
            for (int i = j - 1; i >= 0; i--) {
                if (!before[j].get(i) && isOrdered(moves.get(i), moves.get(j))) {
                    before[j].set(i);
                    before[j].or(before[i]);
                }
            }
        }
        return before;
    }

    private boolean isOrdered(Move one, Move other) {
        return one.sessions().stream().anyMatch(other.sessions()::contains) || dependence.between(one, other);
    }

    private void planRaces(List<Node> nodes, List<Move> moves) {
        BitSet[] before = happensBefore(moves);
        for (int j = 0; j < moves.size(); j++) {
            for (int i = 0; i < j; i++) {
                if (isRace(moves, before, i, j)) {
                    plan(nodes.get(i), reversal(moves, before, i, j));
                }
            }
        }
    }

    /** A race: of two sessions, ordered, and by nothing that comes between. */
    private static boolean isRace(List<Move> moves, BitSet[] before, int i, int j) {
        if (!before[j].get(i) || moves.get(i).sessions().contains(moves.get(j).session())) {
            return false;
        }
        for (int k = i + 1; k < j; k++) {
            if (before[j].get(k) && before[k].get(i)) {
                return false;
            }
        }
        return true;
    }

    /** The sessions whose turn can come first in a schedule that reverses a race: each of them alone covers it. */
    private static List<Integer> reversal(List<Move> moves, BitSet[] before, int i, int j) {
        List<Integer> moved = new ArrayList<>();
        for (int k = i + 1; k < j; k++) {
            if (!before[k].get(i)) {
                moved.add(k);
            }
        }
        moved.add(j);
        List<Integer> first = new ArrayList<>();
        for (int k : moved) {
            boolean free = moved.stream().noneMatch(other -> other < k && before[k].get(other));
            if (free && !first.contains(moves.get(k).option())) {
                first.add(moves.get(k).option());
            }
        }
        return first;
    }

    private void plan(Node node, List<Integer> first) {
        if (first.stream().anyMatch(session -> node.planned.contains(session) || node.asleep.containsKey(session))) {
            return;
        }
        Optional<Integer> one =
                first.stream().filter(node.point.options()::contains).findFirst();
        if (one.isPresent()) {
            plan(node, one.orElseThrow());
        } else {
            planOthers(node);
        }
    }

    private void planOthers(Node node) {
        node.point.options().stream()
                .filter(session -> !node.planned.contains(session) && !node.asleep.containsKey(session))
                .forEach(session -> plan(node, session));
    }

    private void plan(Node node, int option) {
        node.planned.add(option);
        add(
                Path.instead(node.path, node.point, option),
                node.position + 1,
                node.preemptions + (node.point.isPreemptedBy(option) ? 1 : 0),
                node.point.aborts(),
                node);
    }
}

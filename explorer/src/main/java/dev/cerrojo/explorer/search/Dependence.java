package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.Effect;
import dev.cerrojo.explorer.schedule.Footprint;
import dev.cerrojo.explorer.schedule.Move;
import dev.cerrojo.explorer.schedule.StepInfo;
import dev.cerrojo.tx.Isolation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which moves of different sessions can be told apart by their order. When in doubt: they can.
 *
 * <p>Under MVCC a statement does not see what others have not committed, but may wait for it: two statements depend on each
 * other when their locks meet. A statement depends on another session's COMMIT when it reads or writes what that wrote;
 * above READ COMMITTED only the statement that takes the snapshot sees the COMMIT, for all that its transaction will ever
 * read. Two COMMITs do not depend on each other, unless one lets a waiting statement go on: that is an effect of the same
 * move. At SERIALIZABLE conflicts are found between reads and writes of transactions that run at once, so whatever one wrote
 * and the other touched makes any two of their statements depend, and a COMMIT or ROLLBACK depends on every step of
 * a session that is linked to its own by such conflicts (PostgreSQL: Transaction Isolation; Serializable Snapshot
 * Isolation in PostgreSQL, VLDB 2012).
 *
 * <p>Where sessions can tell when a transaction began, the first statements of two depend on each other.
 *
 * <p>What a step touches is learned as the search goes: everything it was ever seen to touch. When that grows, what was
 * concluded before may be wrong, and the search begins again. Safe to use from several threads.
 */
class Dependence {
    private final boolean ordersBeginnings;
    private final Map<Key, Footprint> known = new HashMap<>();
    private final Map<Integer, Footprint> bySession = new HashMap<>();

    /**
     * Begins without knowing any step.
     *
     * @param ordersBeginnings whether it can be told in which order transactions began
     */
    Dependence(boolean ordersBeginnings) {
        this.ordersBeginnings = ordersBeginnings;
    }

    /** A step, wherever it comes in a schedule. */
    private record Key(int session, StepInfo.Kind kind, String sql) {}

    private static Key key(Effect effect) {
        return new Key(effect.session(), effect.step().kind(), effect.step().sql());
    }

    /** {@return whether a move touched more than was known before} */
    synchronized boolean learn(Move move) {
        boolean grown = false;
        for (Effect effect : move.effects()) {
            if (!effect.footprint().everything()) {
                grown |= widen(known, key(effect), effect.footprint());
                grown |= widen(bySession, effect.session(), effect.footprint());
            }
        }
        return grown;
    }

    private static <K> boolean widen(Map<K, Footprint> map, K key, Footprint footprint) {
        Footprint before = map.getOrDefault(key, Footprint.NONE);
        Footprint after = before.with(footprint);
        map.put(key, after);
        return !after.equals(before);
    }

    private Footprint footprint(Effect effect) {
        return effect.footprint().with(known.getOrDefault(key(effect), Footprint.NONE));
    }

    synchronized boolean between(Move one, Move other) {
        for (Effect first : one.effects()) {
            for (Effect second : other.effects()) {
                if (between(first, second)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean between(Effect one, Effect other) {
        Footprint first = footprint(one);
        Footprint second = footprint(other);
        if (one.session() == other.session() || first.everything() || second.everything()) {
            return true;
        }
        boolean serializable = isSerializable(one) || isSerializable(other);
        boolean end = one.step().isEnd() || other.step().isEnd();
        if (serializable && end && areLinked(one.session(), other.session())) {
            return true;
        }
        if (one.step().isEnd() && other.step().isEnd()) {
            return false;
        }
        if (one.step().isEnd()) {
            return endMeets(one, first, other, second);
        }
        if (other.step().isEnd()) {
            return endMeets(other, second, one, first);
        }
        return first.locksMeet(second)
                || (serializable && (first.writesMeet(second) || second.writesMeet(first)))
                || (ordersBeginnings && mayBegin(one) && mayBegin(other));
    }

    /** Two that share nothing are linked by a third that meets both: it can fail by the order in which they end. */
    private boolean areLinked(int one, int other) {
        Set<Integer> linked = new HashSet<>(Set.of(one));
        Deque<Integer> next = new ArrayDeque<>(linked);
        while (!next.isEmpty()) {
            Footprint footprint = bySession.getOrDefault(next.remove(), Footprint.NONE);
            bySession.forEach((session, touched) -> {
                if ((footprint.writesMeet(touched) || touched.writesMeet(footprint)) && linked.add(session)) {
                    next.add(session);
                }
            });
        }
        return linked.contains(other);
    }

    private boolean endMeets(Effect end, Footprint ended, Effect statement, Footprint touched) {
        if (ended.locksMeet(touched)) {
            return true;
        }
        if (!end.step().isCommit()) {
            return false;
        }
        return statement.step().isolation() == Isolation.READ_COMMITTED
                ? ended.writesMeet(touched)
                : snapshotMeets(ended, statement);
    }

    private boolean snapshotMeets(Footprint ended, Effect statement) {
        return statement.step().takesSnapshot()
                && ended.writesMeet(bySession.getOrDefault(statement.session(), Footprint.NONE));
    }

    /** What may take the snapshot may be the first of its transaction. */
    private static boolean mayBegin(Effect effect) {
        return effect.step().takesSnapshot();
    }

    private static boolean isSerializable(Effect effect) {
        return effect.step().isolation() == Isolation.SERIALIZABLE;
    }
}

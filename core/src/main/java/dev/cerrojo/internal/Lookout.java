package dev.cerrojo.internal;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks at intervals which of many are due.
 *
 * <p>Instead of a timer for each: nearly all transactions end, and most leases are released, long before their time, and to set a
 * timer and to cancel it costs more than the rest of what is done for them, since it wakes a thread. While there are any, and a
 * while after the last, it looks on; then it rests until the next one.
 */
public final class Lookout {
    private final Executor nextLook;
    private final int mostEmptyLooks;
    private final Set<Due> all = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();
    private int emptyLooks;

    /**
     * Makes one without anything to look for.
     *
     * @param nextLook runs a look when it is time for it
     * @param mostEmptyLooks after how many looks that find nothing it rests
     */
    public Lookout(Executor nextLook, int mostEmptyLooks) {
        this.nextLook = nextLook;
        this.mostEmptyLooks = mostEmptyLooks;
    }

    /** What is due at some time. */
    public interface Due {
        /** {@return whether it is due at a time of {@link System#nanoTime}} */
        boolean isDue(long now);

        /** Called once, at a look at which it is due; returns at once. */
        void ring();
    }

    /** Looks for it from now on. */
    public void add(Due due) {
        all.add(due);
        wake();
    }

    /** Does not look for it any more. */
    public void remove(Due due) {
        all.remove(due);
    }

    private void wake() {
        if (!looking.get() && looking.compareAndSet(false, true)) {
            emptyLooks = 0;
            nextLook.execute(this::look);
        }
    }

    private void look() {
        long now = System.nanoTime();
        List<Due> dueNow = all.stream().filter(due -> due.isDue(now)).toList();
        for (Due due : dueNow) {
            if (all.remove(due)) {
                due.ring();
            }
        }
        emptyLooks = all.isEmpty() ? emptyLooks + 1 : 0;
        if (emptyLooks < mostEmptyLooks) {
            nextLook.execute(this::look);
        } else {
            rest();
        }
    }

    /** One that was added before this was seen would wait for the next one. */
    private void rest() {
        looking.set(false);
        if (!all.isEmpty()) {
            wake();
        }
    }
}

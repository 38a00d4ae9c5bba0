package dev.cerrojo.tx;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks at intervals for the alarms that are due.
 *
 * <p>Instead of a timer for each: nearly all transactions end long before their deadline, and to set a timer and to cancel it costs
 * more than the rest of what a transaction does here, since it wakes a thread. While there are alarms, and a while after the last,
 * it looks on; then it rests until the next one.
 */
final class Alarms {
    /** Those of all transactions; they rest after 5 s without any. */
    static final Alarms ALL = new Alarms(CompletableFuture.delayedExecutor(25, TimeUnit.MILLISECONDS), 200);

    private final Executor nextLook;
    private final int mostEmptyLooks;
    private final Set<Alarm> set = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();
    private int emptyLooks;

    /**
     * Makes a set without any.
     *
     * @param nextLook runs a look when it is time for it
     * @param mostEmptyLooks after how many looks that find nothing it rests
     */
    Alarms(Executor nextLook, int mostEmptyLooks) {
        this.nextLook = nextLook;
        this.mostEmptyLooks = mostEmptyLooks;
    }

    /** From now on it rings when its time comes. */
    void add(Alarm alarm) {
        set.add(alarm);
        wake();
    }

    void remove(Alarm alarm) {
        set.remove(alarm);
    }

    private void wake() {
        if (!looking.get() && looking.compareAndSet(false, true)) {
            emptyLooks = 0;
            nextLook.execute(this::look);
        }
    }

    private void look() {
        long now = System.nanoTime();
        set.stream().filter(alarm -> alarm.isDue(now)).forEach(this::ring);
        emptyLooks = set.isEmpty() ? emptyLooks + 1 : 0;
        if (emptyLooks < mostEmptyLooks) {
            nextLook.execute(this::look);
        } else {
            rest();
        }
    }

    /** Not here: cancelling waits for the network. */
    private void ring(Alarm alarm) {
        if (set.remove(alarm)) {
            ForkJoinPool.commonPool().execute(alarm::ring);
        }
    }

    /** An alarm that was added before this was seen would wait for the next one. */
    private void rest() {
        looking.set(false);
        if (!set.isEmpty()) {
            wake();
        }
    }
}

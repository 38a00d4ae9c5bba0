package dev.cerrojo.idempotency;

import dev.cerrojo.internal.Heartbeat;
import dev.cerrojo.internal.LocalDeadline;
import dev.cerrojo.internal.Workers;
import dev.cerrojo.internal.WorkingThread;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A claim that a store has granted. */
final class HeldClaim<K, R> implements Claim<R> {
    private static final String EXPIRED = "its time was over before it could be renewed";
    private static final String GONE = "the store says that it is not held any more";
    private static final String SETTLED = "it was settled or closed";

    private final ClaimStore<K, R> store;
    private final K key;
    private final ClaimToken token;
    private final int number;
    private final IdempotencySettings settings;
    private final LocalDeadline held;
    private final Heartbeat heartbeat;
    private final AtomicInteger settling = new AtomicInteger();
    private final AtomicReference<@Nullable String> end = new AtomicReference<>();
    private final List<Consumer<ClaimLostException>> listeners = new CopyOnWriteArrayList<>();
    private final Set<WorkingThread> working = ConcurrentHashMap.newKeySet();

    /** @param sent when it was asked for, as {@link System#nanoTime} */
    HeldClaim(
            ClaimStore<K, R> store,
            K key,
            ClaimToken token,
            int number,
            IdempotencySettings settings,
            Workers workers,
            long sent) {
        this.store = store;
        this.key = key;
        this.token = token;
        this.number = number;
        this.settings = settings;
        this.held = LocalDeadline.of(sent, settings.claimFor());
        this.heartbeat = new Heartbeat(this::renew, settings.claimFor().dividedBy(2), workers, held, this::ended);
    }

    void start() {
        heartbeat.start();
    }

    private Optional<Duration> renew() {
        boolean isHeld = store.renew(key, token, settings.claimFor());
        return isHeld || isBeingSettled() ? Optional.of(settings.claimFor()) : Optional.empty();
    }

    /** Then a renewal that comes after it is no news: nothing is lost but what is settled. */
    private boolean isBeingSettled() {
        return settling.get() > 0 || isSettled();
    }

    private void ended(Heartbeat.End reason) {
        lose(reason == Heartbeat.End.EXPIRED ? EXPIRED : GONE);
    }

    private void lose(String why) {
        if (end.compareAndSet(null, why)) {
            heartbeat.stop();
            working.forEach(WorkingThread::interrupt);
            settings.threads().newThread(() -> listeners.forEach(this::tell)).start();
        }
    }

    /** Once, whoever finds it. */
    private void tell(Consumer<ClaimLostException> listener) {
        if (listeners.remove(listener)) {
            listener.accept(lost());
        }
    }

    private ClaimLostException lost() {
        return new ClaimLostException(key, Objects.requireNonNullElse(end.get(), GONE));
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public boolean isHeld() {
        if (end.get() == null && held.left() <= 0) {
            lose(EXPIRED);
        }
        return end.get() == null;
    }

    @Override
    public void ensureHeld() {
        if (!isHeld()) {
            throw lost();
        }
    }

    @Override
    public void onLoss(Consumer<ClaimLostException> listener) {
        listeners.add(listener);
        if (!isHeld() && !isSettled()) {
            settings.threads().newThread(() -> tell(listener)).start();
        }
    }

    boolean isSettled() {
        return SETTLED.equals(end.get());
    }

    /** Runs work on this thread, which is interrupted when the claim is lost. */
    <X extends Exception> R call(PhasedWork<R, X> work) throws X {
        WorkingThread thread = new WorkingThread();
        working.add(thread);
        try {
            ensureHeld();
            return work.run(this);
        } finally {
            working.remove(thread);
            thread.done();
        }
    }

    @Override
    public void complete(R result) {
        settle(() -> store.complete(key, token, result, settings.retention()));
    }

    @Override
    public void fail(String reason) {
        settle(() -> store.fail(key, token, reason, settings.retention()));
    }

    @Override
    public void forget() {
        settle(() -> store.forget(key, token));
    }

    /** Also where this process has given it up: the store knows whether anybody has taken it over. */
    private void settle(BooleanSupplier settled) {
        if (isSettled()) {
            throw lost();
        }
        settling.incrementAndGet();
        try {
            if (!settled.getAsBoolean()) {
                lose(GONE);
                throw new ClaimLostException(key, GONE);
            }
            settled();
        } finally {
            settling.decrementAndGet();
        }
    }

    private void settled() {
        end.set(SETTLED);
        heartbeat.stop();
    }

    @Override
    public void close() {
        if (isSettled()) {
            return;
        }
        settled();
        try {
            store.abandon(key, token);
        } catch (IdempotencyStoreException unreachable) {
            System.getLogger(HeldClaim.class.getName())
                    .log(
                            System.Logger.Level.DEBUG,
                            "a claim could not be ended, so it ends when its time is over",
                            unreachable);
        }
    }
}

package dev.cerrojo.lease;

import dev.cerrojo.internal.Heartbeat;
import dev.cerrojo.internal.WorkingThread;
import dev.cerrojo.lease.LeaseLostException.Reason;
import dev.cerrojo.tx.NestedTransactionException;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionFailedException;
import dev.cerrojo.tx.TransactionRolledBackException;
import dev.cerrojo.tx.TransactionWork;
import dev.cerrojo.tx.Transactions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A lease, from when its first entity is granted until it is released. */
final class HeldLease implements Lease {
    private final Holder holder;
    private final List<LeaseScope> scopes;
    private final Map<String, Holding> holdings = new ConcurrentHashMap<>();
    private final List<Heartbeat> heartbeats = new CopyOnWriteArrayList<>();
    private final Set<WorkingThread> working = ConcurrentHashMap.newKeySet();
    private final Set<Transaction> bound = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
    private final List<Consumer<LeaseLostException>> listeners = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable Reason> end = new AtomicReference<>();
    private final AtomicBoolean isGivenBack = new AtomicBoolean();

    HeldLease(Holder holder, List<LeaseScope> scopes) {
        this.holder = holder;
        this.scopes = scopes;
    }

    /** Adds what was granted, and keeps it. */
    void add(Holding holding) {
        holdings.put(holding.claim().entity(), holding);
        Heartbeat heartbeat = holder.heartbeat(holding, this::lose);
        heartbeats.add(heartbeat);
        heartbeat.start();
    }

    @Override
    public List<LeaseScope> scopes() {
        return scopes;
    }

    @Override
    public long token() {
        if (holdings.size() > 1) {
            throw new IllegalStateException(
                    "a lease of several entities has a token for each of them: ask token(entity) for one of "
                            + holdings.keySet());
        }
        return holdings.values().iterator().next().token();
    }

    @Override
    public long token(String entity) {
        Holding holding = holdings.get(entity);
        if (holding == null) {
            throw new IllegalArgumentException(
                    "the lease has nothing of entity \"%s\", only of %s".formatted(entity, holdings.keySet()));
        }
        return holding.token();
    }

    @Override
    public boolean isHeld() {
        if (end.get() == null && left() <= 0) {
            lose(Reason.EXPIRED);
        }
        return end.get() == null;
    }

    @Override
    public Duration remaining() {
        return isHeld() ? Duration.ofNanos(Math.max(left(), 0)) : Duration.ZERO;
    }

    private long left() {
        long least = Long.MAX_VALUE;
        for (Holding holding : holdings.values()) {
            least = Math.min(least, holding.left());
        }
        return least;
    }

    @Override
    public void ensureHeld() {
        if (!isHeld()) {
            throw lost();
        }
    }

    private LeaseLostException lost() {
        return new LeaseLostException(scopes, Objects.requireNonNull(end.get()), why());
    }

    private String why() {
        return "the lease of %s is lost: %s; what it protected may be somebody else's by now, so stop"
                .formatted(scopes, Objects.requireNonNull(end.get()).says());
    }

    @Override
    public void onLoss(Consumer<LeaseLostException> listener) {
        listeners.add(listener);
        if (isLost()) {
            holder.thread(() -> tell(listener));
        }
    }

    /** Once, whoever finds it. */
    private void tell(Consumer<LeaseLostException> listener) {
        if (listeners.remove(listener)) {
            listener.accept(lost());
        }
    }

    private boolean isLost() {
        Reason reason = end.get();
        return reason != null && reason != Reason.RELEASED;
    }

    /** Ends it, and sees to it that the work stops. */
    private void lose(Reason reason) {
        if (end.compareAndSet(null, reason)) {
            heartbeats.forEach(Heartbeat::stop);
            holder.lost(this, lost());
            if (holder.settings().interruptOnLoss()) {
                working.forEach(WorkingThread::interrupt);
            }
            holder.thread(this::tellAll);
        }
    }

    private void tellAll() {
        for (Transaction transaction : boundNow()) {
            markForRollback(transaction);
        }
        listeners.forEach(this::tell);
    }

    private List<Transaction> boundNow() {
        synchronized (bound) {
            return List.copyOf(bound);
        }
    }

    private void markForRollback(Transaction transaction) {
        try {
            transaction.rollbackOnly(why());
        } catch (NestedTransactionException joinedWithoutOwner) {
            System.getLogger(Leases.class.getName())
                    .log(
                            System.Logger.Level.DEBUG,
                            "a joined transaction cannot be marked for rollback; its fence is locked, so it does no harm");
        }
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> T call(LeaseWork<T, X> work) throws X {
        T result;
        try {
            result = interruptible(work);
        } catch (Exception thrown) {
            failIfLost(thrown);
            throw thrown;
        }
        if (isLost()) {
            throw lost();
        }
        return result;
    }

    /** It is asked whether it is held when a loss would already interrupt. */
    private <T extends @Nullable Object, X extends Exception> T interruptible(LeaseWork<T, X> work) throws X {
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

    /** Whatever the work made of it, and threw. */
    private void failIfLost(Exception thrown) {
        if (isLost() && !(thrown instanceof LeaseLostException)) {
            LeaseLostException lost = lost();
            lost.addSuppressed(thrown);
            throw lost;
        }
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> T callFenced(
            Transactions transactions, TransactionWork<T, X> work) throws X {
        try {
            return transactions.call(transaction -> {
                fence(transaction);
                return work.run(transaction);
            });
        } catch (TransactionRolledBackException | TransactionFailedException rolledBack) {
            failIfLost(rolledBack);
            throw rolledBack;
        }
    }

    @Override
    public void fence(Transaction transaction) throws SQLException {
        Fences fences = holder.fences();
        ensureHeld();
        bound.add(transaction);
        List<Fences.Row> rows = holdings.values().stream()
                .flatMap(holding -> Fences.Row.of(holding.claim(), holding.token()).stream())
                .toList();
        if (!fences.pass(transaction, rows, holder.settings().leaseDuration())) {
            lose(Reason.FENCED);
        }
        if (!isHeld()) {
            markForRollback(transaction);
            throw lost();
        }
    }

    @Override
    public void release() {
        boolean wasHeld = end.compareAndSet(null, Reason.RELEASED);
        heartbeats.forEach(Heartbeat::stop);
        if (isGivenBack.compareAndSet(false, true)) {
            holder.giveBack(this, holdings.values(), wasHeld);
        }
    }
}

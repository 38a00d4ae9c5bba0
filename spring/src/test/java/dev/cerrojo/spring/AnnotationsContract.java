package dev.cerrojo.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.idempotency.Reply;
import dev.cerrojo.idempotency.RequestKey;
import dev.cerrojo.idempotency.RequestMismatchException;
import dev.cerrojo.invariant.InvariantViolatedException;
import dev.cerrojo.lease.LeaseNotAcquiredException;
import dev.cerrojo.lease.LeaseScope;
import dev.cerrojo.lease.Leases;
import dev.cerrojo.tx.NestedTransactionException;
import dev.cerrojo.tx.RetriesExhaustedException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionTemplate;

/** What annotations do, whatever the connections come from. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AnnotationsContract {
    private static final AtomicInteger SHIFTS = new AtomicInteger();

    private AnnotationConfigApplicationContext context;
    private Roster roster;
    private TransactionTemplate template;
    private int shift;

    abstract Class<?> configuration();

    @BeforeAll
    void start() {
        context = new AnnotationConfigApplicationContext(configuration());
        roster = context.getBean(Roster.class);
        template = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    @AfterAll
    void stop() {
        context.close();
    }

    @BeforeEach
    void openShift() {
        shift = SHIFTS.incrementAndGet();
        roster.open(shift, "A", "B");
        counter().set(0);
        commits().set(0);
    }

    /** Of the object behind the proxy, whose fields are its own. */
    private Roster target() {
        return org.springframework.test.util.AopTestUtils.getTargetObject(roster);
    }

    private AtomicInteger counter() {
        return target().ran;
    }

    private AtomicInteger commits() {
        return target().committed;
    }

    @Test
    void lastOneIsRefusedAndStays() {
        roster.leave(shift, "A");
        assertThatThrownBy(() -> roster.leave(shift, "B"))
                .isInstanceOf(InvariantViolatedException.class)
                .hasMessageContaining("every shift keeps at least one active doctor");
        assertThat(roster.doctors(shift)).containsExactly("B");
    }

    @Test
    void oneOfTwoAtOnceIsRefused() throws Exception {
        for (int round = 0; round < 20; round++) {
            openShift();
            CyclicBarrier together = new CyclicBarrier(2);
            List<Throwable> failures = atOnce(() -> leaveWith(together, "A"), () -> leaveWith(together, "B"));
            assertThat(failures).hasSize(1).first().isInstanceOf(InvariantViolatedException.class);
            assertThat(roster.active(shift)).isOne();
        }
    }

    private Void leaveWith(CyclicBarrier together, String doctor) throws Exception {
        together.await(10, TimeUnit.SECONDS);
        roster.leave(shift, doctor);
        return null;
    }

    /** The control: the same without the annotation leaves nobody. */
    @Test
    void withoutTheAnnotationBothLeave() throws Exception {
        CyclicBarrier afterTheCheck = new CyclicBarrier(2);
        Runnable between = () -> {
            try {
                afterTheCheck.await(10, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
        assertThat(atOnce(() -> unguarded("A", between), () -> unguarded("B", between)))
                .isEmpty();
        assertThat(roster.active(shift)).isZero();
    }

    private Void unguarded(String doctor, Runnable between) {
        template.executeWithoutResult(status -> roster.leaveUnguarded(shift, doctor, between));
        return null;
    }

    private static List<Throwable> atOnce(Callable<Void> one, Callable<Void> other) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Throwable> failures = new java.util.ArrayList<>();
            for (Future<Void> done : threads.invokeAll(List.of(one, other), 30, TimeUnit.SECONDS)) {
                try {
                    done.get();
                } catch (java.util.concurrent.ExecutionException e) {
                    failures.add(e.getCause());
                }
            }
            return failures;
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void severalScopesAreGuardedTogether() {
        int other = SHIFTS.incrementAndGet();
        roster.open(other, "A");
        assertThatThrownBy(() -> roster.leaveAll(List.of(shift, other), "A"))
                .isInstanceOf(InvariantViolatedException.class);
        assertThat(roster.active(shift)).isEqualTo(2);
    }

    @Test
    void guardAndStatementsAreOneTransaction() {
        assertThat(roster.isOneTransaction(shift)).isTrue();
    }

    @Test
    void callWithinATransactionIsRefusedWithTheWayOut() {
        assertThatThrownBy(() -> template.executeWithoutResult(status -> roster.leave(shift, "A")))
                .isInstanceOf(NestedTransactionException.class)
                .hasMessageContaining("Roster.leave")
                .hasMessageContaining("@Guarded(outer = JOIN)");
        assertThat(counter()).hasValue(0);
    }

    @Test
    void joiningTakesPartInTheOpenTransaction() {
        template.executeWithoutResult(status -> {
            roster.leaveJoining(shift, "A");
            status.setRollbackOnly();
        });
        assertThat(roster.active(shift)).isEqualTo(2);
    }

    /** Who swallows the refusal must not commit what was refused. */
    @Test
    void refusalWithinAJoinedTransactionDoomsIt() {
        roster.leave(shift, "A");
        assertThatThrownBy(() -> template.executeWithoutResult(status -> {
                    try {
                        roster.leaveJoining(shift, "B");
                    } catch (InvariantViolatedException swallowed) {
                        return;
                    }
                }))
                .isInstanceOf(RuntimeException.class);
        assertThat(roster.doctors(shift)).containsExactly("B");
    }

    @Test
    void joiningBeginsATransactionWhereNoneIsOpen() {
        roster.leaveJoining(shift, "A");
        assertThatThrownBy(() -> roster.leaveJoining(shift, "B")).isInstanceOf(InvariantViolatedException.class);
        assertThat(roster.active(shift)).isOne();
    }

    @Test
    void staleVersionRunsAgainAndActionsRunOnce() {
        roster.staleUntil(3);
        assertThat(counter()).hasValue(3);
        assertThat(commits()).hasValue(1);
    }

    @Test
    void retriesEndTyped() {
        assertThatThrownBy(() -> roster.alwaysStale()).isInstanceOf(RetriesExhaustedException.class);
        assertThat(counter()).hasValue(2);
    }

    @Test
    void swallowedSerializationFailureRunsAgain() {
        roster.serializationFailureIsSwallowed(3, false);
        assertThat(counter()).hasValue(3);
    }

    @Test
    void hiddenSerializationFailureRunsAgain() {
        roster.serializationFailureIsSwallowed(3, true);
        assertThat(counter()).hasValue(3);
    }

    @Test
    void failureAtCommitIsNoUnknownOutcomeAndRunsNoAction() {
        assertThatThrownBy(() -> roster.failsAtCommit(shift)).isInstanceOf(DataIntegrityViolationException.class);
        assertThat(commits()).hasValue(0);
    }

    @Test
    void leaseIsHeldWithinTheMethodAndReleasedAfterIt() {
        Leases leases = context.getBean(Leases.class);
        LeaseScope scope = LeaseScope.of("shift/" + shift, "note");
        roster.note(shift, () -> assertThat(leases.tryAcquire(scope)).isEmpty());
        try (var free = leases.acquire(scope)) {
            assertThat(free.isHeld()).isTrue();
            assertThatThrownBy(() -> roster.note(shift, () -> {})).isInstanceOf(LeaseNotAcquiredException.class);
        }
    }

    @Test
    void leaseAndGuardAreFencedTogether() {
        roster.leaveUnderLease(shift, "A", () -> {});
        assertThatThrownBy(() -> roster.leaveUnderLease(shift, "B", () -> {}))
                .isInstanceOf(InvariantViolatedException.class);
        assertThat(roster.active(shift)).isOne();
    }

    @Test
    void actorIsToldAndEndsWithTheTransaction() {
        assertThat(roster.actor()).isEqualTo("system");
        assertThat(roster.actorNow()).isNullOrEmpty();
    }

    @Test
    void jobIsDoneOnceAndOnlyWithTheSamePayload() {
        roster.noteOnce(shift, "x");
        roster.noteOnce(shift, "x");
        assertThat(counter()).hasValue(1);
        assertThatThrownBy(() -> roster.noteOnce(shift, "y")).isInstanceOf(RequestMismatchException.class);
    }

    @Test
    void requestTakesEffectOnceAndIsAnsweredAgain() {
        RequestKey key = RequestKey.of("leave", "me", "shift-" + shift);
        Reply first = roster.leaveOnce(key, shift, "A");
        Reply again = roster.leaveOnce(key, shift, "A");
        assertThat(first.replayed()).isFalse();
        assertThat(again).isEqualTo(new Reply(first.response(), true));
        assertThat(counter()).hasValue(1);
    }

    /** What was refused was not done: the key is free. */
    @Test
    void refusedRequestKeepsNothing() {
        roster.leave(shift, "A");
        RequestKey key = RequestKey.of("leave", "me", "refused-" + shift);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> roster.leaveOnce(key, shift, "B")).isInstanceOf(InvariantViolatedException.class);
        }
        assertThat(roster.leaveOnce(RequestKey.of("leave", "me", "other-" + shift), shift, "A")
                        .replayed())
                .isFalse();
    }

    @Test
    void transactionMarkedWithinIsRolledBack() {
        dev.cerrojo.tx.Transactions transactions = context.getBean(dev.cerrojo.tx.Transactions.class);
        assertThatThrownBy(() -> transactions.run(tx -> template.executeWithoutResult(inner -> {
                    roster.leaveUnguarded(shift, "A", () -> {});
                    inner.setRollbackOnly();
                })))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(roster.active(shift)).isEqualTo(2);
    }
}

package dev.cerrojo.explorer.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.tx.Isolation;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits of every kind, as PostgreSQL tells them: none may hang, and none may be taken for another. */
@Timeout(60)
class SchedulerPostgresTest {
    private static final String SETUP =
            "CREATE TABLE t (id int PRIMARY KEY, v int NOT NULL); INSERT INTO t VALUES (1, 0), (2, 0), (3, 0)";

    /** How long a step may last here; long enough for what must end, on a machine that others use. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    private Bench bench;

    @BeforeEach
    void open() throws SQLException {
        bench = Bench.of(SETUP, SHORT);
    }

    @AfterEach
    void close() throws SQLException {
        bench.close();
    }

    private static String change(int id) {
        return "UPDATE t SET v = v + 1 WHERE id = " + id;
    }

    private static List<Outcome> committed(int sessions) {
        return java.util.Collections.nCopies(sessions, new Outcome.Committed());
    }

    private static <E extends TraceEvent> List<E> events(Trace trace, Class<E> type) {
        return trace.events().stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the deadline").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    // ---------------------------------------------------------------- blockers

    @Test
    void waitForAnotherSessionNamesIt() throws SQLException {
        Trace trace = bench.run("AB", bench.session(0, change(1)), bench.session(1, change(1)));

        assertThat(trace.outcomes()).isEqualTo(committed(2));
        assertThat(events(trace, TraceEvent.Waits.class)).singleElement().satisfies(wait -> {
            assertThat(wait.session()).isEqualTo(1);
            assertThat(wait.blockers()).containsExactly(0);
        });
        assertThat(trace.waited()).isTrue();
        assertThat(trace.deadlocked()).isFalse();
        assertThat(trace.schedule()).hasToString("ABAB");
    }

    /** A queue: each waits for the one before it, down to one that can go on. */
    @Test
    void waitsInAQueueAreWaits() throws SQLException {
        Trace trace =
                bench.run("ABC", bench.session(0, change(1)), bench.session(1, change(1)), bench.session(2, change(1)));

        assertThat(trace.outcomes()).isEqualTo(committed(3));
        assertThat(events(trace, TraceEvent.Waits.class))
                .extracting(TraceEvent.Waits::session)
                .containsExactly(1, 2);
    }

    @Test
    void blockerOutsideOfTheSessionsLeavesTheRunUnsettled() throws SQLException {
        Connection outside = bench.outside();
        outside.setAutoCommit(false);
        try (Statement sql = outside.createStatement()) {
            sql.execute(change(1));
        }
        Bench.Sql waiting = bench.session(0, change(1));

        assertThatThrownBy(() -> bench.run("", waiting, bench.session(1, change(2))))
                .isInstanceOf(Unsettled.class)
                .hasMessageContaining("session A in \"" + change(1) + "\"")
                .hasMessageContaining("blocked by backends [" + Bench.backend(outside) + "]");

        // every session has ended, and its connection can be used again
        outside.rollback();
        assertThat(bench.run("", waiting).outcomes()).isEqualTo(committed(1));
    }

    @Test
    void blockerOutsideIsFoundThroughAQueue() throws SQLException {
        Connection outside = bench.outside();
        outside.setAutoCommit(false);
        try (Statement sql = outside.createStatement()) {
            sql.execute(change(2));
        }

        // B waits for A, which waits for somebody who is not ours
        assertThatThrownBy(() -> bench.run("ABA", bench.session(0, change(1), change(2)), bench.session(1, change(1))))
                .isInstanceOf(Unsettled.class)
                .hasMessageContaining("session A in \"" + change(2))
                .hasMessageContaining("session B in \"" + change(1));
        outside.rollback();
    }

    @Test
    void blockerOutsideThatLetsGoInTimeIsNoObstacle() throws Exception {
        Connection outside = bench.outside();
        outside.setAutoCommit(false);
        try (Statement sql = outside.createStatement()) {
            sql.execute(change(1));
        }
        Bench.Sql program = bench.session(0, change(1));
        Set<Integer> blocker = Set.of(Bench.backend(outside));
        int waiting = Bench.backend(program.connection);
        Connection watching = bench.outside();
        CompletableFuture<Void> release = CompletableFuture.runAsync(() -> {
            await(() -> isBlockedBy(watching, waiting, blocker));
            try {
                outside.rollback();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });

        Trace trace = bench.run("", program);

        release.get(20, TimeUnit.SECONDS);
        assertThat(trace.outcomes()).isEqualTo(committed(1));
        assertThat(trace.waited()).as("it waited for none of ours").isFalse();
    }

    private static boolean isBlockedBy(Connection watching, int backend, Set<Integer> blockers) {
        try (Statement sql = watching.createStatement();
                var row = sql.executeQuery("SELECT pg_blocking_pids(" + backend + ")")) {
            row.next();
            return Set.of((Object[]) row.getArray(1).getArray()).equals(blockers);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---------------------------------------------------------------- waits that nobody ends

    /** Two connections of one session: PostgreSQL sees no cycle, as nobody waits on the first. */
    private final class OwnFoe implements SessionProgram {
        private final Connection main;
        private final Connection autonomous;

        OwnFoe(int session) throws SQLException {
            this.main = bench.connect(session);
            this.autonomous = bench.connect(session);
        }

        @Override
        public Outcome run(Gate gate) {
            Bench.Sql.step(gate, main, change(1));
            Bench.Sql.step(gate, autonomous, change(1));
            return new Outcome.Committed();
        }
    }

    @Test
    void sessionThatWaitsForItsOwnOtherConnectionIsStuck() throws SQLException {
        Trace trace = bench.run("ABA", new OwnFoe(0), bench.session(1, change(2)));

        assertThat(trace.outcomes()).containsExactly(new Outcome.Stuck(), new Outcome.Committed());
        assertThat(trace.deadlocked()).isTrue();
        assertThat(events(trace, TraceEvent.DeadlockFound.class)).isEmpty();
        assertThat(events(trace, TraceEvent.Waits.class))
                .singleElement()
                .extracting(TraceEvent.Waits::blockers)
                .isEqualTo(List.of(0));
    }

    @Test
    void whoWaitsForASessionLockThatItsHolderKeepsIsStuck() throws SQLException {
        Trace trace = bench.run(
                "AAB",
                bench.session(0, "SELECT pg_advisory_lock(7)"),
                bench.session(1, "SELECT pg_advisory_lock(7)"),
                bench.session(2, change(1)));

        assertThat(trace.outcomes())
                .containsExactly(new Outcome.Committed(), new Outcome.Stuck(), new Outcome.Committed());
        assertThat(trace.deadlocked()).isTrue();
    }

    @Test
    void sessionLockThatNobodyWantsIsNoReason() throws SQLException {
        Trace trace = bench.run("", bench.session(0, "SELECT pg_advisory_lock(7)"), bench.session(1, change(1)));

        assertThat(trace.outcomes()).isEqualTo(committed(2));
        assertThat(trace.deadlocked()).isFalse();
    }

    // ---------------------------------------------------------------- no waits

    @Test
    void sleepIsNoWait() throws SQLException {
        Trace trace = bench.run("AB", bench.session(0, "SELECT pg_sleep(0.1)"), bench.session(1, change(1)));

        assertThat(trace.outcomes()).isEqualTo(committed(2));
        assertThat(trace.waited()).isFalse();
        // B began when A had slept
        assertThat(trace.events().subList(0, 3))
                .extracting(event -> event.getClass().getSimpleName() + event.session())
                .containsExactly("Started0", "Finished0", "Started1");
    }

    @Test
    void sleepBeyondTheTimeoutIsUnsettled() throws SQLException {
        Bench.Sql sleeper = bench.session(0, "SELECT pg_sleep(600)");

        assertThatThrownBy(() -> bench.run("", sleeper, bench.session(1, change(1))))
                .isInstanceOf(Unsettled.class)
                .hasMessageContaining("session A in \"SELECT pg_sleep(600)\", blocked by backends []");

        assertThat(bench.run("", new Bench.Sql(sleeper.connection, List.of(change(1))))
                        .outcomes())
                .as("it was cancelled")
                .isEqualTo(committed(1));
    }

    // ---------------------------------------------------------------- errors

    @Test
    void statementThatIsCancelledFails() throws SQLException {
        Trace trace = bench.run(
                "", bench.session(0, "SELECT pg_cancel_backend(pg_backend_pid())"), bench.session(1, change(1)));

        assertThat(trace.outcomes().get(0))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.sqlState()).isEqualTo("57014"));
        assertThat(trace.outcomes().get(1)).isEqualTo(new Outcome.Committed());
    }

    @Test
    void failureLetsThoseGoOnThatWaitedForIt() throws SQLException {
        Trace trace = bench.run("ABA", bench.session(0, change(1), "SELECT 1 / 0"), bench.session(1, change(1)));

        assertThat(trace.outcomes().get(0))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.sqlState()).isEqualTo("22012"));
        assertThat(trace.outcomes().get(1)).isEqualTo(new Outcome.Committed());
    }

    @Test
    void exceptionOfAProgramEndsTheRun() throws SQLException {
        Bench.Sql other = bench.session(1, change(1), change(2));

        assertThatThrownBy(() -> bench.run(
                        "B",
                        gate -> {
                            throw new IllegalStateException("broken");
                        },
                        other))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("broken");

        other.connection.rollback();
        assertThat(bench.run("", other).outcomes()).isEqualTo(committed(1));
    }

    @Test
    void programThatNeverComesToAStepIsUnsettled() throws SQLException {
        CountDownLatch end = new CountDownLatch(1);
        SessionProgram lost = new SessionProgram() {
            @Override
            public Outcome run(Gate gate) {
                awaitUninterruptibly(end);
                return new Outcome.Committed();
            }

            @Override
            public void giveUp() {
                end.countDown();
            }
        };

        assertThatThrownBy(() -> bench.run("", lost, bench.session(1, change(1))))
                .isInstanceOf(Unsettled.class)
                .hasMessageContaining("did not come to its next step")
                .hasMessageContaining("blocked outside of PostgreSQL");
        assertThat(end.getCount()).isZero();
    }

    /** Neither a cancelled statement nor a hint makes it end. */
    @Test
    void programThatDoesNotEndIsNamed() throws SQLException {
        CountDownLatch end = new CountDownLatch(1);
        SessionProgram deaf = gate -> {
            awaitUninterruptibly(end);
            return new Outcome.Committed();
        };

        assertThatThrownBy(() -> bench.run("", bench.session(0, change(1)), deaf))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("did not end within PT2S: session B outside of PostgreSQL");
        end.countDown();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A test's timeout interrupts its thread: nothing may go on behind its back. */
    @Test
    void interruptionEndsEverySession() throws Exception {
        Bench.Sql sleeper = bench.session(0, "SELECT pg_sleep(600)");
        Bench.Sql other = bench.session(1, change(1));
        CountDownLatch running = new CountDownLatch(2);
        CompletableFuture<Long> left = new CompletableFuture<>();
        CompletableFuture<Boolean> stillInterrupted = new CompletableFuture<>();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread driver = new Thread(() -> {
            try {
                bench.run("A", counting(sleeper, running), counting(other, running));
                thrown.completeExceptionally(new AssertionError("it was not interrupted"));
            } catch (Throwable e) {
                left.complete(running.getCount());
                stillInterrupted.complete(Thread.currentThread().isInterrupted());
                thrown.complete(e);
            }
        });
        driver.start();
        Connection watching = bench.outside();
        int backend = Bench.backend(sleeper.connection);
        await(() -> isActive(watching, backend));
        driver.interrupt();

        assertThat(thrown.get(20, TimeUnit.SECONDS))
                .isInstanceOf(Unsettled.class)
                .hasMessageContaining("interrupted");
        assertThat(stillInterrupted.get()).isTrue();
        assertThat(left.get()).as("sessions that go on").isZero();
        assertThat(isActive(watching, backend)).as("it sleeps on").isFalse();
        sleeper.connection.rollback();
        assertThat(bench.run("", other).outcomes()).isEqualTo(committed(1));
    }

    private static SessionProgram counting(SessionProgram program, CountDownLatch running) {
        return gate -> {
            try {
                return program.run(gate);
            } finally {
                running.countDown();
            }
        };
    }

    private static boolean isActive(Connection watching, int backend) {
        try (Statement sql = watching.createStatement();
                var row = sql.executeQuery(
                        "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND pid = " + backend)) {
            row.next();
            return row.getInt(1) == 1;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---------------------------------------------------------------- programs

    @Test
    void sessionWithoutStepsIsDoneAtOnce() throws SQLException {
        Trace trace = bench.run("B", gate -> new Outcome.Refused("nothing to do"), bench.session(1, change(1)));

        assertThat(trace.outcomes()).containsExactly(new Outcome.Refused("nothing to do"), new Outcome.Committed());
        assertThat(trace.schedule()).hasToString("BB");
    }

    @Test
    void oneTurnLetsAllGoOnThatWaitedForIt() throws SQLException {
        Trace trace = bench.run(
                "ABCA",
                bench.session(0, "SELECT pg_advisory_xact_lock(1)"),
                bench.session(1, "SELECT pg_advisory_xact_lock_shared(1)"),
                bench.session(2, "SELECT pg_advisory_xact_lock_shared(1)"));

        assertThat(trace.outcomes()).isEqualTo(committed(3));
        Move commit = trace.moves().get(3);
        assertThat(commit.session()).isZero();
        assertThat(commit.sessions()).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(commit.effects().get(0).step()).isEqualTo(StepInfo.commit(Isolation.READ_COMMITTED));
    }

    /** What runs in Java and waits for another there is no choice, and no reason to wait either. */
    @Test
    void sessionThatWaitsOutsideOfPostgresIsNoChoice() throws SQLException {
        CountDownLatch released = new CountDownLatch(1);
        Bench.Sql second = bench.session(1, change(1));
        SessionProgram waiting = new SessionProgram() {
            @Override
            public Outcome run(Gate gate) {
                awaitUninterruptibly(released);
                return second.run(gate);
            }

            @Override
            public Optional<String> waitsOutside() {
                return released.getCount() == 0 ? Optional.empty() : Optional.of("a lock that A holds");
            }
        };
        Bench.Sql first = bench.session(0, change(1));

        Trace trace = bench.run(
                "A",
                gate -> {
                    Outcome outcome = first.run(gate);
                    released.countDown();
                    return outcome;
                },
                waiting);

        assertThat(trace.outcomes()).isEqualTo(committed(2));
        assertThat(trace.schedule()).hasToString("AABB");
        assertThat(trace.points().get(0).options()).containsExactly(0);
        assertThat(events(trace, TraceEvent.Note.class))
                .extracting(TraceEvent.Note::text)
                .containsExactly("waits outside of PostgreSQL: a lock that A holds");
    }
}

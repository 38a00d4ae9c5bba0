package dev.cerrojo.explorer.jdbc;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a session's thread waits in Java for another session.
 *
 * <p>The JVM knows who holds a monitor or a {@code ReentrantLock}: when that is another session, the answer is certain. Of a
 * latch, a queue or a pool it does not know who will release it; then a thread that has stood at one and the same place for a
 * while, in which no other session did anything, is taken to wait. A thread that sleeps goes on by itself.
 */
final class BlockedThread {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int DEPTH = 200;
    private static final long STANDS_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Time passes for a thread that the machine does not run, too; so it must have been seen to stand again and again. */
    private static final int STANDS_LOOKS = 10;

    /** Whoever was let go on needs a while to be seen to go. */
    private static final long STANDS_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** When all others have ended or wait too, it is the end of the schedule. */
    private static final long STANDS_FOR_EVER_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A pool may have to connect first. */
    private static final long POOL_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final Set<String> OURS = Stream.of(
                    Forwarding.class,
                    GatedConnection.class,
                    GatedDataSource.class,
                    GatedRows.class,
                    GatedStatement.class,
                    JavaSession.class)
            .map(Class::getName)
            .collect(Collectors.toSet());

    private String place = "";
    private long since;
    private int looks;

    /**
     * Why a thread waits.
     *
     * @param text what for, in words
     * @param isPool whether for a connection of a pool
     */
    record Reason(String text, boolean isPool) {}

    /**
     * What the other sessions do.
     *
     * @param activeAt when one of them last did something, by {@link System#nanoTime}
     * @param anyCanGoOn whether one of them can
     */
    record Others(long activeAt, boolean anyCanGoOn) {}

    synchronized void reset() {
        place = "";
    }

    /**
     * Looks at a thread.
     *
     * @param thread the session's
     * @param sessionOf the number of a thread → the other session that it is of
     */
    synchronized Optional<Reason> look(Thread thread, LongFunction<Optional<JavaSession>> sessionOf, Others others) {
        @Nullable ThreadInfo info = THREADS.getThreadInfo(thread.getId(), DEPTH);
        if (info == null || !waits(info)) {
            place = "";
            return Optional.empty();
        }
        Optional<JavaSession> owner = sessionOf.apply(info.getLockOwnerId());
        if (owner.isPresent()) {
            return Optional.of(new Reason(
                    lock(info) + ", which session " + owner.orElseThrow().letter() + " holds" + where(info), false));
        }
        return stands(info, others);
    }

    private Optional<Reason> stands(ThreadInfo info, Others others) {
        String here = Arrays.stream(info.getStackTrace())
                .map(StackTraceElement::toString)
                .collect(Collectors.joining("\n"));
        long now = System.nanoTime();
        if (!here.equals(place)) {
            place = here;
            since = now;
            looks = 0;
        }
        looks++;
        boolean pool = asksForConnection(info);
        boolean stands = looks >= STANDS_LOOKS
                && now - since >= (pool ? POOL_NANOS : STANDS_NANOS)
                && now - others.activeAt()
                        >= (others.anyCanGoOn() || pool ? STANDS_AGAIN_NANOS : STANDS_FOR_EVER_NANOS);
        if (!stands) {
            return Optional.empty();
        }
        return Optional.of(new Reason(lock(info) + where(info), pool));
    }

    private static boolean waits(ThreadInfo info) {
        return switch (info.getThreadState()) {
            case BLOCKED, WAITING -> true;
            // sleeping, or parked without saying for what
            case TIMED_WAITING -> info.getLockInfo() != null;
            case NEW, RUNNABLE, TERMINATED -> false;
        };
    }

    private static boolean asksForConnection(ThreadInfo info) {
        return Arrays.stream(info.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("getConnection")
                        && !frame.getClassName().startsWith("dev.cerrojo."));
    }

    /** Without its identity, which is another in each run. */
    private static String lock(ThreadInfo info) {
        @Nullable LockInfo lock = info.getLockInfo();
        String name = lock == null ? "another thread" : lock.getClassName();
        return "for "
                + name.replaceFirst("^java\\.util\\.concurrent\\.(locks\\.)?", "")
                        .replaceFirst("\\$.*", "");
    }

    private static String where(ThreadInfo info) {
        return Arrays.stream(info.getStackTrace())
                .filter(BlockedThread::isOfUser)
                .findFirst()
                .map(frame -> ", at " + shown(frame))
                .orElse("");
    }

    /** {@return a line of a stack trace, as short as it can be found by: {@code DoctorService.leave(DoctorService.java:12)}} */
    static String shown(StackTraceElement frame) {
        String name = frame.getClassName();
        return name.substring(name.lastIndexOf('.') + 1) + "." + method(frame) + "(" + frame.getFileName() + ":"
                + frame.getLineNumber() + ")";
    }

    private static String method(StackTraceElement frame) {
        return frame.getMethodName().replaceFirst("^lambda\\$(.+)\\$\\d+$", "$1");
    }

    /** {@return whether a line of a stack trace is of code that a user would look at} */
    static boolean isOfUser(StackTraceElement frame) {
        String name = frame.getClassName();
        return !name.startsWith("java.")
                && !name.startsWith("jdk.")
                && !name.startsWith("sun.")
                && !name.contains("$Proxy")
                && !OURS.contains(name.replaceFirst("\\$.*", ""))
                && !name.startsWith("org.postgresql.")
                && !name.startsWith("dev.cerrojo.explorer.schedule.");
    }
}

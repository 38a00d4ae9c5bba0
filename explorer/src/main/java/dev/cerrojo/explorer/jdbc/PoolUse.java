package dev.cerrojo.explorer.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Who holds connections of a pool, when there is none for a session. The sessions would wait for each other where no
 * interleaving of theirs does: a false deadlock, or a false order.
 *
 * @param held how many each session holds: {@code A 1, B 0}
 * @param sessions how many sessions run
 * @param total how many they hold together
 * @param most the most that one holds
 * @param size the pool's size, when it tells
 */
record PoolUse(String held, int sessions, int total, int most, OptionalInt size) {
    /** The names under which pools tell their size: HikariCP, DBCP 2, Tomcat, c3p0, Agroal and others. */
    private static final List<String> SIZES =
            List.of("getMaximumPoolSize", "getMaxTotal", "getMaxActive", "getMaxPoolSize", "getMaxSize");

    static PoolUse of(GatedDataSource source) {
        List<JavaSession> running = source.running();
        return new PoolUse(
                running.stream()
                        .map(session -> session.letter() + " " + session.holds())
                        .collect(Collectors.joining(", ")),
                running.size(),
                running.stream().mapToInt(JavaSession::holds).sum(),
                running.stream().mapToInt(JavaSession::holds).max().orElse(0),
                size(source.real()));
    }

    private static OptionalInt size(DataSource pool) {
        for (String name : SIZES) {
            try {
                if (pool.getClass().getMethod(name).invoke(pool) instanceof Integer size) {
                    return OptionalInt.of(size);
                }
            } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
                // it tells in another way, or not at all
            }
        }
        return OptionalInt.empty();
    }

    /** {@return whether other sessions, or we, may hold all that there is} */
    boolean isExhausted() {
        return size.isPresent() ? total + 1 >= size.getAsInt() : total > 0;
    }

    String message(String session, String happened) {
        int enough = sessions * Math.max(most, 1) + 1;
        return "the pool is too small: session " + session + " " + happened + ", while the sessions hold " + total
                + " ("
                + held + ") and Cerrojo holds 1 to watch the locks"
                + (size.isPresent() ? "; the pool gives at most " + size.getAsInt() : "")
                + ". Sessions that wait for a connection do not run at once, so nothing would be explored: give the pool at"
                + " least " + Math.max(enough, size.orElse(0) + 1) + " connections for these " + sessions + " sessions";
    }
}

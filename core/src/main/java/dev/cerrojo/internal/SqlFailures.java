package dev.cerrojo.internal;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds what PostgreSQL said in what code throws: frameworks wrap it, and a batch hides it behind the next exception. */
public final class SqlFailures {
    private static final Set<String> AGAIN = Set.of("40001", "40P01");

    private SqlFailures() {}

    /** {@return an exception, what SQL exceptions have behind them, and the causes of all; each once} */
    public static List<Throwable> chain(Throwable thrown) {
        List<Throwable> chain = new ArrayList<>();
        collect(thrown, chain, Collections.newSetFromMap(new IdentityHashMap<>()));
        return chain;
    }

    private static void collect(@Nullable Throwable thrown, List<Throwable> chain, Set<Throwable> seen) {
        Throwable next = thrown;
        while (next != null && seen.add(next)) {
            chain.add(next);
            if (next instanceof SQLException sql) {
                collect(sql.getNextException(), chain, seen);
            }
            next = next.getCause();
        }
    }

    /** {@return the SQLSTATEs in an exception, the outermost first} */
    public static List<String> sqlStates(Throwable thrown) {
        return chain(thrown).stream()
                .filter(SQLException.class::isInstance)
                .flatMap(sql -> Optional.ofNullable(((SQLException) sql).getSQLState()).stream())
                .toList();
    }

    /** {@return the SQLSTATE that asks for the transaction to be run again: 40001 or 40P01; none in anything else} */
    public static Optional<String> again(Throwable thrown) {
        return sqlStates(thrown).stream().filter(AGAIN::contains).findFirst();
    }
}

package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.schedule.StepResult;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Finds what PostgreSQL said in what code throws: frameworks wrap it, and a batch hides it behind the next exception. */
final class SqlFailure {
    private static final String NO_STATE = "XX000";

    private SqlFailure() {}

    /** {@return an exception, its causes, and what SQL exceptions have behind them; each once} */
    static List<Throwable> chain(Throwable thrown) {
        List<Throwable> chain = new ArrayList<>();
        collect(thrown, chain, Collections.newSetFromMap(new IdentityHashMap<>()));
        return chain;
    }

    private static void collect(@Nullable Throwable thrown, List<Throwable> chain, Set<Throwable> seen) {
        if (thrown == null || !seen.add(thrown)) {
            return;
        }
        chain.add(thrown);
        if (thrown instanceof SQLException sql) {
            collect(sql.getNextException(), chain, seen);
        }
        collect(thrown.getCause(), chain, seen);
    }

    /** {@return the first SQLSTATE in it, with PostgreSQL's message} */
    static Optional<StepResult.Failure> in(Throwable thrown) {
        return chain(thrown).stream()
                .filter(one -> one instanceof SQLException sql && sql.getSQLState() != null)
                .findFirst()
                .map(one -> failure((SQLException) one, thrown));
    }

    /** {@return what a step failed with} */
    static StepResult.Failure of(Throwable thrown) {
        return in(thrown).orElseGet(() -> new StepResult.Failure(NO_STATE, String.valueOf(thrown.getMessage()), ""));
    }

    private static StepResult.Failure failure(SQLException e, Throwable thrown) {
        @Nullable
        ServerErrorMessage server = chain(thrown).stream()
                .filter(PSQLException.class::isInstance)
                .map(one -> ((PSQLException) one).getServerErrorMessage())
                .filter(message -> message != null)
                .findFirst()
                .orElse(null);
        String message =
                server == null || server.getMessage() == null ? String.valueOf(e.getMessage()) : server.getMessage();
        String detail = server == null || server.getDetail() == null ? "" : server.getDetail();
        return new StepResult.Failure(String.valueOf(e.getSQLState()), message, detail);
    }
}

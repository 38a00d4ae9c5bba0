package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.tx.Isolation;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/** What is known of the transaction that is open on a connection. Used by one thread at a time. */
final class ServerTransaction {
    /** The timer that runs out before anybody else takes a step: who closes a deadlock is its victim. */
    private static final int SHORT_TIMER_MILLIS = 1;

    private static final int UNKNOWN_TIMER = -1;

    private static final Pattern SETS_LEVEL = Pattern.compile("(?is).*\\btransaction\\b.*");
    private static final Pattern SETS_CONSTRAINTS = Pattern.compile("(?is).*\\bset\\s+constraints\\b.*");

    private final BaseConnection server;

    /** Whether what follows is known of the transaction that is open now. */
    private boolean known;

    private boolean levelKnown;
    private Isolation isolation = Isolation.READ_COMMITTED;
    private boolean snapshotTaken;
    private boolean setConstraints;
    private int timerMillis = UNKNOWN_TIMER;

    ServerTransaction(BaseConnection server) {
        this.server = server;
    }

    BaseConnection server() {
        return server;
    }

    int backend() {
        return server.getBackendPID();
    }

    boolean isOpen() {
        return server.getTransactionState() == TransactionState.OPEN;
    }

    boolean isFailed() {
        return server.getTransactionState() == TransactionState.FAILED;
    }

    boolean isIdle() {
        return server.getTransactionState() == TransactionState.IDLE;
    }

    Isolation isolation() {
        return isolation;
    }

    boolean mayTakeSnapshot() {
        return !snapshotTaken;
    }

    boolean setConstraints() {
        return setConstraints;
    }

    /**
     * Makes it known, before a statement. Begins it where none is open: BEGIN, SET and SHOW take no snapshot, so nobody can
     * tell when they ran.
     *
     * @param setsTimers whether the role may SET deadlock_timeout
     */
    void prepare(boolean setsTimers) throws SQLException {
        if (isIdle()) {
            known = false;
        }
        if (isFailed() || (known && levelKnown)) {
            return;
        }
        if (!known) {
            snapshotTaken = false;
            setConstraints = false;
            timerMillis = UNKNOWN_TIMER;
        }
        boolean sets = setsTimers && timerMillis == UNKNOWN_TIMER;
        isolation = level((sets ? timer(SHORT_TIMER_MILLIS) + "; " : "") + "SHOW transaction_isolation");
        timerMillis = sets ? SHORT_TIMER_MILLIS : timerMillis;
        known = true;
        levelKnown = true;
    }

    private static String timer(int millis) {
        return "SET LOCAL deadlock_timeout = " + millis;
    }

    private Isolation level(String sql) throws SQLException {
        try (Statement statement = server.createStatement()) {
            boolean rows = statement.execute(sql);
            while (!rows) {
                rows = statement.getMoreResults();
            }
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                String level = row.getString(1);
                for (Isolation known : Isolation.values()) {
                    if (known.sql().equals(level)) {
                        return known;
                    }
                }
                return Isolation.READ_COMMITTED;
            }
        }
    }

    /** Sets the timer for the next step, if the transaction can. */
    void setTimer(OptionalInt wanted, boolean setsTimers) throws SQLException {
        int millis = wanted.orElse(SHORT_TIMER_MILLIS);
        if (setsTimers && isOpen() && millis != timerMillis) {
            execute(timer(millis));
            timerMillis = millis;
        }
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = server.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Notes what a statement of it did. */
    void ran(String sql, SqlVerb verb) {
        snapshotTaken |= verb != SqlVerb.WITHOUT_SNAPSHOT;
        if (verb == SqlVerb.WITHOUT_SNAPSHOT && SETS_LEVEL.matcher(sql).matches()) {
            levelKnown = false;
        }
        setConstraints |= SETS_CONSTRAINTS.matcher(sql).matches();
        if (verb == SqlVerb.WITHOUT_SNAPSHOT) {
            // a savepoint that is rolled back to takes settings back with it
            timerMillis = UNKNOWN_TIMER;
        }
    }
}

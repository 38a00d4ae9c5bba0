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

    private boolean begunAhead;
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
     * Makes it known, before a statement. It is not begun by that: the driver sends BEGIN with the first statement, in its turn,
     * since {@code now()} is the time of it.
     *
     * @return whether it was begun by nothing that was seen
     */
    boolean prepare() throws SQLException {
        boolean unseen = isOpen() && !known && !begunAhead;
        if (isIdle()) {
            known = false;
        }
        if (isFailed() || (known && levelKnown)) {
            return unseen;
        }
        if (!known) {
            snapshotTaken = false;
            setConstraints = false;
            timerMillis = UNKNOWN_TIMER;
        }
        isolation = level();
        known = true;
        levelKnown = true;
        begunAhead = false;
        return unseen;
    }

    /** Notes that a BEGIN of the code's began it. */
    void beganAhead() {
        known = false;
        begunAhead = true;
    }

    /** Takes no snapshot and begins nothing; while none is open it tells the level of the next. */
    private Isolation level() throws SQLException {
        try (ResultSet row = server.execSQLQuery("SHOW transaction_isolation")) {
            row.next();
            return Isolation.ofSql(row.getString(1));
        }
    }

    /** Sets the timer for the step whose turn it is, if its transaction can; begins it where none is open. */
    void setTimer(OptionalInt wanted, boolean setsTimers) throws SQLException {
        int millis = wanted.orElse(SHORT_TIMER_MILLIS);
        boolean inTransaction = isOpen() || (isIdle() && !server.getAutoCommit());
        if (setsTimers && inTransaction && millis != timerMillis) {
            execute("SET LOCAL deadlock_timeout = " + millis);
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

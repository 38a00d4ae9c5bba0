package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.schedule.StepInfo;
import dev.cerrojo.explorer.schedule.StepResult;
import dev.cerrojo.tx.Isolation;
import java.lang.reflect.Method;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A connection that stops at the gate of the session whose thread uses it, before each step. Threads that are no session's
 * pass.
 *
 * <p>With autocommit a statement is two steps, to run and to commit; so it runs in a transaction of its own on the real
 * connection. A COMMIT is two steps where deferred constraints or triggers can run in it. A ROLLBACK after a failed statement
 * is none: PostgreSQL has released everything at the error.
 */
final class GatedConnection extends Forwarding<Connection> {
    private static final Pattern CLEANING = Pattern.compile("(get|set|is|clear)[A-Z].*");

    private final GatedDataSource source;
    private final ServerTransaction transaction;

    /** Whether a statement with autocommit runs, in a transaction of ours. */
    private boolean committing;

    /** Whose step was the last. */
    private @Nullable JavaSession user;

    private boolean closed;
    private volatile boolean broken;

    GatedConnection(GatedDataSource source, Connection real, ServerTransaction transaction) {
        super(Connection.class, real);
        this.source = source;
        this.transaction = transaction;
    }

    ServerTransaction transaction() {
        return transaction;
    }

    /** {@return whether a cursor that is opened now can be read to its end} */
    boolean keepsCursors() {
        return !committing;
    }

    void usedBy(JavaSession session) {
        user = session;
    }

    /** {@return whether the session used it last, and did not give it back} */
    boolean isStillOf(JavaSession session) {
        return user == session && !closed && !broken;
    }

    /** Breaks it off, as a client does that dies, or a network. A pool learns of it by what the driver throws. */
    void breakOff() {
        broken = true;
        try {
            transaction.server().abort(Runnable::run);
        } catch (SQLException e) {
            // it was broken already
        }
    }

    private void failIfBroken() throws SQLException {
        if (broken) {
            throw BrokenConnection.closed();
        }
    }

    /** What the code, or a pool before the gates, gets of it when it is broken: what of the driver. */
    private @Nullable Object callBroken(String method, Optional<JavaSession> session) throws SQLException {
        switch (method) {
            case "close" -> {
                session.ifPresent(it -> it.closed(this));
                closeBroken();
                return null;
            }
            case "abort" -> {
                return null;
            }
            case "isClosed" -> {
                return true;
            }
            case "isValid" -> {
                return false;
            }
            default -> {
                if (session.isPresent() && !isCleaning(method, session.orElseThrow())) {
                    session.orElseThrow().failIfEnded();
                }
                throw BrokenConnection.closed();
            }
        }
    }

    /** What frameworks and pools do when they give a connection back: nothing that a crash must stop. */
    private boolean isCleaning(String method, JavaSession session) {
        return CLEANING.matcher(method).matches() || (method.equals("rollback") && !session.holds(this));
    }

    private void closeBroken() {
        try {
            real().close();
        } catch (SQLException e) {
            // it is gone, which is what was asked for
        }
    }

    @Override
    @Nullable
    Object call(Method method, Object[] arguments) throws Throwable {
        Optional<JavaSession> session = source.session();
        if (broken) {
            return callBroken(method.getName(), session);
        }
        return switch (method.getName()) {
            case "createStatement" -> gated(Statement.class, made(method, arguments), "", arguments);
            case "prepareStatement" ->
                gated(PreparedStatement.class, made(method, arguments), (String) arguments[0], arguments);
            case "prepareCall" ->
                gated(CallableStatement.class, made(method, arguments), (String) arguments[0], arguments);
            case "getMetaData" -> new GatedMetaData(this, (DatabaseMetaData) made(method, arguments)).proxy();
            case "commit" -> end(session, StepInfo.Kind.COMMIT, method, arguments);
            case "rollback" ->
                arguments.length == 0
                        ? end(session, StepInfo.Kind.ROLLBACK, method, arguments)
                        : savepoint("ROLLBACK TO SAVEPOINT ", method, arguments);
            case "setSavepoint" -> savepoint("SAVEPOINT ", method, arguments);
            case "releaseSavepoint" -> savepoint("RELEASE SAVEPOINT ", method, arguments);
            case "setAutoCommit" -> setAutoCommit(session, method, arguments);
            case "getSchema", "setSchema" -> runIfSession(method.getName(), () -> forward(method, arguments));
            case "isValid" -> isValid(method, arguments);
            case "close" -> close(session);
            default -> forward(method, arguments);
        };
    }

    private <S extends Statement> S gated(Class<S> type, Object real, String sql, Object[] arguments) {
        boolean keys = type == PreparedStatement.class
                && arguments.length == 2
                && !Integer.valueOf(Statement.NO_GENERATED_KEYS).equals(arguments[1]);
        return new GatedStatement<>(this, type, type.cast(real), sql, keys).proxy();
    }

    private Object made(Method method, Object[] arguments) throws Throwable {
        return java.util.Objects.requireNonNull(forward(method, arguments));
    }

    /** Begins to note what the session's code reads of a result, if that is wanted. */
    Optional<Reading> reading(String sql, ResultSet result) throws SQLException {
        Optional<JavaSession> session = source.session();
        return session.isPresent() ? session.orElseThrow().reading(this, sql, result) : Optional.empty();
    }

    /** Runs a statement, as the steps that it is. */
    @Nullable
    Object run(String sql, String bound, Work work) throws Throwable {
        Optional<JavaSession> session = source.session();
        if (session.isEmpty()) {
            source.ranUngated(sql);
            return work.run().value();
        }
        return run(session.orElseThrow(), sql, bound, work);
    }

    /**
     * One of several statements that are run together.
     *
     * @param sql its text
     * @param bound the values bound to it
     * @param work runs it
     */
    record Part(String sql, String bound, Work work) {}

    @Override
    void unwrapped(Class<?> type) {
        source.session().ifPresent(session -> session.unwrapped(type));
    }

    /** {@return whether the thread that uses it now is a session's} */
    boolean isSessions() {
        return source.session().isPresent();
    }

    /** Runs statements that commit together where each would commit by itself, and returns what each returned. */
    List<Object> runAll(List<Part> parts) throws Throwable {
        JavaSession session = source.session().orElseThrow();
        session.failIfEnded();
        failIfBroken();
        List<Object> values = new ArrayList<>();
        if (real().getAutoCommit()
                && transaction.isIdle()
                && parts.stream().allMatch(GatedConnection::mayCommitTogether)) {
            committed(session, () -> {
                for (Part part : parts) {
                    values.add(statement(session, part.sql(), part.bound(), SqlVerb.of(part.sql()), part.work()));
                }
                return null;
            });
        } else {
            for (Part part : parts) {
                values.add(run(session, part.sql(), part.bound(), part.work()));
            }
        }
        return values;
    }

    private static boolean mayCommitTogether(Part part) {
        SqlVerb verb = SqlVerb.of(part.sql());
        return verb == SqlVerb.STATEMENT || verb == SqlVerb.WITHOUT_SNAPSHOT;
    }

    /** Notes that a batch is one step, though each of its statements sees what others have committed. */
    void runsWholeBatch() {
        source.session().ifPresent(JavaSession::ranWholeBatch);
    }

    /** What the driver asks the server for on behalf of a method of its own. */
    @FunctionalInterface
    interface Asking {
        @Nullable
        Object ask() throws Throwable;
    }

    /** Runs a method of the driver that asks the server, as the steps that it is. Other threads ask only for catalogs by it. */
    @Nullable
    Object runIfSession(String method, Asking asking) throws Throwable {
        return source.session().isEmpty()
                ? asking.ask()
                : run("JDBC: " + method, "", () -> new Work.Done(asking.ask(), StepResult.DONE));
    }

    private @Nullable Object run(JavaSession session, String sql, String bound, Work work) throws Throwable {
        session.failIfEnded();
        failIfBroken();
        SqlVerb verb = SqlVerb.of(sql);
        boolean commitsItself = real().getAutoCommit() && transaction.isIdle();
        return switch (verb) {
            case BEGIN -> begin(session, sql, work);
            case COMMIT -> end(session, StepInfo.Kind.COMMIT, work);
            case ROLLBACK -> end(session, StepInfo.Kind.ROLLBACK, work);
            case ALONE -> commitsItself ? alone(session, sql, bound, work) : statement(session, sql, bound, verb, work);
            case WITHOUT_SNAPSHOT, STATEMENT ->
                commitsItself
                        ? committed(session, () -> statement(session, sql, bound, verb, work))
                        : statement(session, sql, bound, verb, work);
        };
    }

    /** Nobody can tell when BEGIN ran, but by {@code now()}: only then is it a step. */
    private @Nullable Object begin(JavaSession session, String sql, Work work) throws Throwable {
        if (!transaction.isIdle()) {
            return work.run().value();
        }
        StepInfo step = new StepInfo(StepInfo.Kind.STATEMENT, sql.strip(), "", Isolation.READ_COMMITTED, true);
        Object value = session.begin(this, step, work);
        transaction.beganAhead();
        return value;
    }

    private @Nullable Object statement(JavaSession session, String sql, String bound, SqlVerb verb, Work work)
            throws Throwable {
        if (transaction.prepare()) {
            session.beganUnseen(sql);
        }
        boolean staysOpen = transaction.isOpen() || !real().getAutoCommit();
        StepInfo step = new StepInfo(
                StepInfo.Kind.STATEMENT, sql.strip(), bound, transaction.isolation(), transaction.mayTakeSnapshot());
        try {
            return session.step(this, step, work);
        } finally {
            transaction.ran(sql, verb);
            if (!session.isEnded() && (SqlVerb.hidesEnds(sql) || (staysOpen && transaction.isIdle()))) {
                session.hidLocks();
            }
            if (SqlVerb.hidesEnds(sql)) {
                session.committedInside();
                transaction.beganAhead();
            }
        }
    }

    /** It may not run in a transaction of ours: its own COMMIT is inside of the step. */
    private @Nullable Object alone(JavaSession session, String sql, String bound, Work work) throws Throwable {
        StepInfo step = new StepInfo(StepInfo.Kind.COMPOUND, sql.strip(), bound, transaction.isolation(), true);
        Object value = session.step(this, step, work);
        if (transaction.isIdle()) {
            session.committed(this);
        } else {
            transaction.beganAhead();
        }
        return value;
    }

    /** What is done with autocommit. */
    private @Nullable Object committed(JavaSession session, Asking statements) throws Throwable {
        real().setAutoCommit(false);
        committing = true;
        try {
            Object value = statements.ask();
            end(session, StepInfo.Kind.COMMIT, Work.of(real()::commit));
            real().setAutoCommit(true);
            return value;
        } catch (Throwable e) {
            undo(e);
            throw e;
        } finally {
            committing = false;
        }
    }

    private void undo(Throwable reason) {
        try {
            // before the switch, which would commit
            real().rollback();
            real().setAutoCommit(true);
        } catch (SQLException lost) {
            reason.addSuppressed(lost);
        }
    }

    private @Nullable Object end(Optional<JavaSession> session, StepInfo.Kind kind, Method method, Object[] arguments)
            throws Throwable {
        if (session.isEmpty()) {
            source.ranUngated(kind.name());
            return forward(method, arguments);
        }
        return end(session.orElseThrow(), kind, Work.of(() -> forward(method, arguments)));
    }

    /** Ends the transaction. No step when none is open, and none after an error, when there is nothing left to end. */
    private @Nullable Object end(JavaSession session, StepInfo.Kind kind, Work work) throws Throwable {
        boolean commits = kind == StepInfo.Kind.COMMIT;
        if (session.isEnded() && !commits) {
            return work.run().value();
        }
        session.failIfEnded();
        if (!transaction.isOpen()) {
            session.undone(this);
            return work.run().value();
        }
        if (!commits) {
            session.undone(this);
            return session.step(this, StepInfo.rollback(transaction.isolation()), work);
        }
        return commit(session, work);
    }

    private @Nullable Object commit(JavaSession session, Work work) throws Throwable {
        if (session.hasDeferredChecks(transaction.setConstraints())) {
            checkDeferred(session);
        }
        Object value = session.step(this, StepInfo.commit(transaction.isolation()), work);
        session.committed(this);
        return value;
    }

    /** What fails here would have failed in COMMIT, after which nothing is open. */
    private void checkDeferred(JavaSession session) throws Throwable {
        try {
            session.step(
                    this,
                    StepInfo.deferredChecks(transaction.isolation()),
                    Work.of(() -> transaction.execute("SET CONSTRAINTS ALL IMMEDIATE")));
        } catch (SQLException e) {
            try {
                transaction.execute("ROLLBACK");
            } catch (SQLException lost) {
                e.addSuppressed(lost);
            }
            throw e;
        }
    }

    /** Pools ask when they like. What that begins takes no snapshot, and nobody knows of it. */
    private @Nullable Object isValid(Method method, Object[] arguments) throws Throwable {
        boolean idle = transaction.isIdle();
        Object valid = forward(method, arguments);
        if (idle && !transaction.isIdle() && !real().isClosed()) {
            real().rollback();
        }
        return valid;
    }

    private @Nullable Object savepoint(String verb, Method method, Object[] arguments) throws Throwable {
        if (real().getAutoCommit()) {
            // which the driver refuses
            return forward(method, arguments);
        }
        return run(verb + name(arguments), "", () -> new Work.Done(forward(method, arguments), StepResult.DONE));
    }

    private static String name(Object[] arguments) throws SQLException {
        if (arguments.length == 0) {
            return "(without a name)";
        }
        if (arguments[0] instanceof Savepoint savepoint) {
            try {
                return savepoint.getSavepointName();
            } catch (SQLException e) {
                // its number counts the savepoints of the connection, and would be another in each run
                return "(without a name)";
            }
        }
        return String.valueOf(arguments[0]);
    }

    private @Nullable Object setAutoCommit(Optional<JavaSession> session, Method method, Object[] arguments)
            throws Throwable {
        boolean commits = (Boolean) arguments[0] && !real().getAutoCommit();
        if (!commits || session.isEmpty()) {
            return forward(method, arguments);
        }
        if (session.orElseThrow().isEnded() && !transaction.isIdle()) {
            real().rollback();
        }
        if (transaction.isOpen()) {
            return end(session.orElseThrow(), StepInfo.Kind.COMMIT, Work.of(() -> forward(method, arguments)));
        }
        return forward(method, arguments);
    }

    private @Nullable Object close(Optional<JavaSession> session) throws Throwable {
        if (session.isPresent() && !real().isClosed() && !real().getAutoCommit() && transaction.isOpen()) {
            end(session.orElseThrow(), StepInfo.Kind.ROLLBACK, Work.of(real()::rollback));
        }
        session.ifPresent(it -> it.closed(this));
        closed = true;
        real().close();
        return null;
    }

    /** Rolls back what is open, when its session has ended, and tells whether something was. */
    boolean endLeftover() throws SQLException {
        if (broken || real().isClosed() || transaction.server().isClosed() || transaction.isIdle()) {
            return false;
        }
        transaction.execute("ROLLBACK");
        return true;
    }
}

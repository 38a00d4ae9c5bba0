package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.schedule.StepResult;
import java.lang.reflect.Method;
import java.sql.BatchUpdateException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A statement that stops at the gate before it is executed; with a batch, before each entry. */
final class GatedStatement<S extends Statement> extends Forwarding<S> {
    private final GatedConnection owner;
    private final String prepared;
    private final BoundValues bound = new BoundValues();
    private final Batch batch = new Batch();
    private final boolean returnsKeys;

    /** The rows of the last execution, which a pool may wrap anew each time it is asked for them. */
    private @Nullable GatedRows current;

    private String executed = "";

    /**
     * Makes a statement.
     *
     * @param prepared its SQL; empty when it is given only when executing
     * @param returnsKeys whether it was asked to return generated keys
     */
    GatedStatement(GatedConnection owner, Class<S> type, S real, String prepared, boolean returnsKeys) {
        super(type, real);
        this.owner = owner;
        this.prepared = prepared;
        this.returnsKeys = returnsKeys;
    }

    GatedConnection owner() {
        return owner;
    }

    String prepared() {
        return prepared;
    }

    @Override
    @Nullable
    Object call(Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        if (name.endsWith("Batch") && name.startsWith("execute")) {
            return executeBatch(method);
        }
        if (name.startsWith("execute")) {
            return execute(method, arguments);
        }
        if (name.startsWith("set") && arguments.length >= 2) {
            bound.set(arguments[0], name.equals("setNull") ? null : arguments[1]);
            return forward(method, batch.set(method, arguments));
        }
        return switch (name) {
            case "clearParameters" -> {
                bound.clear();
                batch.clearParameters();
                yield forward(method, arguments);
            }
            case "addBatch" -> {
                addBatch(arguments);
                yield null;
            }
            case "clearBatch" -> {
                batch.clear();
                yield null;
            }
            case "getConnection" -> owner.proxy();
            case "getResultSet" -> current == null ? wrapped((ResultSet) forward(method, arguments)) : current.proxy();
            case "getGeneratedKeys" -> wrapped((ResultSet) forward(method, arguments));
            case "getMoreResults" -> {
                current = null;
                yield forward(method, arguments);
            }
            default -> forward(method, arguments);
        };
    }

    private GatedRows rows(ResultSet real) throws SQLException {
        return new GatedRows(this, real, owner.reading(executed, real));
    }

    private @Nullable ResultSet wrapped(@Nullable ResultSet real) throws SQLException {
        return real == null ? null : rows(real).proxy();
    }

    private @Nullable Object execute(Method method, Object[] arguments) throws Throwable {
        current = null;
        executed = arguments.length > 0 ? (String) arguments[0] : prepared;
        String values = arguments.length > 0 ? "" : bound.toString();
        return owner.run(executed, values, () -> executed(method, arguments));
    }

    private void addBatch(Object[] arguments) {
        if (arguments.length == 0) {
            batch.add(bound.toString());
        } else {
            batch.addSql((String) arguments[0]);
        }
    }

    private @Nullable Object executeBatch(Method method) throws Throwable {
        current = null;
        executed = prepared;
        List<Batch.Entry> entries = batch.take();
        if (entries.isEmpty()) {
            return forward(method, new Object[0]);
        }
        if (owner.isSessions() && !isOneStatement() && !returnsKeys) {
            return Batch.joined(owner.runAll(steps(method, entries)));
        }
        String sql = entries.size() == 1 ? sql(entries.get(0)) : sql(entries.get(0)) + " -- batch of " + entries.size();
        String values = entries.stream().map(Batch.Entry::bound).collect(Collectors.joining(" | "));
        if (entries.size() > 1 && !isOneStatement()) {
            owner.runsWholeBatch();
        }
        return owner.run(sql, BoundValues.shortened(values), () -> executed(method, entries));
    }

    /** The driver may make one INSERT of a batch of them. */
    private boolean isOneStatement() {
        return owner.transaction().server().getQueryExecutor().isReWriteBatchedInsertsEnabled()
                && prepared.strip().regionMatches(true, 0, "INSERT", 0, 6);
    }

    private List<GatedConnection.Part> steps(Method method, List<Batch.Entry> entries) {
        int size = entries.size();
        List<GatedConnection.Part> steps = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Batch.Entry entry = entries.get(i);
            int number = i;
            String sql = sql(entry) + (size == 1 ? "" : " -- " + (i + 1) + " of a batch of " + size);
            steps.add(new GatedConnection.Part(sql, entry.bound(), () -> executed(method, entry, number, size)));
        }
        return steps;
    }

    private String sql(Batch.Entry entry) {
        return entry.sql().isEmpty() ? prepared : entry.sql();
    }

    private Work.Done executed(Method method, Batch.Entry entry, int number, int size) throws Throwable {
        try {
            return executed(method, List.of(entry));
        } catch (BatchUpdateException e) {
            throw Batch.failure(e, number, size);
        }
    }

    private Work.Done executed(Method method, List<Batch.Entry> entries) throws Throwable {
        for (Batch.Entry entry : entries) {
            for (Batch.Setting setting : entry.settings()) {
                forward(setting.method(), setting.again());
            }
            if (real() instanceof PreparedStatement statement && entry.sql().isEmpty()) {
                statement.addBatch();
            } else {
                real().addBatch(entry.sql());
            }
        }
        return done(forward(method, new Object[0]));
    }

    private Work.Done executed(Method method, Object[] arguments) throws Throwable {
        int fetchSize = real().getFetchSize();
        boolean needsCursor = fetchSize > 0 && !owner.keepsCursors();
        if (needsCursor) {
            // with autocommit the driver would have fetched all rows at once; a cursor would not outlive our COMMIT
            real().setFetchSize(0);
        }
        try {
            return done(forward(method, arguments));
        } finally {
            if (needsCursor && !real().isClosed()) {
                real().setFetchSize(fetchSize);
            }
        }
    }

    private Work.Done done(@Nullable Object value) throws SQLException {
        if (value instanceof ResultSet found) {
            current = rows(found);
            return new Work.Done(current.proxy(), current.peek());
        }
        if (value instanceof Boolean hasRows) {
            return new Work.Done(value, hasRows ? firstRows() : counted(real().getUpdateCount()));
        }
        return new Work.Done(value, counted(count(value)));
    }

    private StepResult firstRows() throws SQLException {
        current = rows(real().getResultSet());
        return current.peek();
    }

    private static StepResult counted(long rows) {
        return new StepResult(rows, Map.of(), Optional.empty());
    }

    /** A batch counts -2 where the driver does not know. */
    private static long count(@Nullable Object value) {
        if (value instanceof int[] counts) {
            return Arrays.stream(counts).allMatch(count -> count >= 0)
                    ? Arrays.stream(counts).asLongStream().sum()
                    : -1;
        }
        if (value instanceof long[] counts) {
            return Arrays.stream(counts).allMatch(count -> count >= 0)
                    ? Arrays.stream(counts).sum()
                    : -1;
        }
        return value instanceof Number number ? number.longValue() : -1;
    }
}

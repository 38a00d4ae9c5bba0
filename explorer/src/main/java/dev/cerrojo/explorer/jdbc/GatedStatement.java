package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.schedule.StepResult;
import java.lang.reflect.Method;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A statement that stops at the gate before it is executed. A batch is one step. */
final class GatedStatement<S extends Statement> extends Forwarding<S> {
    private final GatedConnection owner;
    private final String prepared;
    private final BoundValues bound = new BoundValues();
    private final List<String> batch = new ArrayList<>();

    /** The rows of the last execution, which a pool may wrap anew each time it is asked for them. */
    private @Nullable GatedRows current;

    private String executed = "";

    /**
     * Makes a statement.
     *
     * @param prepared its SQL; empty when it is given only when executing
     */
    GatedStatement(GatedConnection owner, Class<S> type, S real, String prepared) {
        super(type, real);
        this.owner = owner;
        this.prepared = prepared;
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
        if (name.startsWith("execute")) {
            return execute(method, arguments);
        }
        if (name.startsWith("set") && arguments.length >= 2) {
            bound.set(arguments[0], name.equals("setNull") ? null : arguments[1]);
            return forward(method, arguments);
        }
        return switch (name) {
            case "clearParameters" -> {
                bound.clear();
                yield forward(method, arguments);
            }
            case "addBatch" -> {
                batch.add(arguments.length == 0 ? bound.toString() : (String) arguments[0]);
                yield forward(method, arguments);
            }
            case "clearBatch" -> {
                batch.clear();
                yield forward(method, arguments);
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
        boolean isBatch = method.getName().endsWith("Batch");
        List<String> parts = List.copyOf(batch);
        if (isBatch) {
            batch.clear();
        }
        String sql = isBatch ? batchSql(parts) : arguments.length > 0 ? (String) arguments[0] : prepared;
        String values = isBatch ? batchValues(parts) : arguments.length > 0 ? "" : bound.toString();
        executed = sql;
        return owner.run(sql, values, () -> executed(method, arguments));
    }

    private String batchSql(List<String> parts) {
        return prepared.isEmpty() ? String.join(";\n", parts) : prepared + " -- batch of " + parts.size();
    }

    private String batchValues(List<String> parts) {
        return prepared.isEmpty() ? "" : BoundValues.shortened(String.join(" | ", parts));
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

package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.schedule.StepResult;
import java.lang.reflect.Method;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a statement. The first one is read for the trace when they come, and given out when the code asks for it. Changes
 * made through the rows are steps.
 */
final class GatedRows extends Forwarding<ResultSet> {
    private static final int MOST_COLUMNS = 12;

    private final GatedStatement<?> statement;
    private final Optional<Reading> reading;

    /** Whether the real rows stand on the first, or behind the last when there is none, and the code does not know yet. */
    private boolean ahead;

    private boolean any;

    /**
     * Wraps rows.
     *
     * @param reading where what the code reads is noted, if that is wanted
     */
    GatedRows(GatedStatement<?> statement, ResultSet real, Optional<Reading> reading) {
        super(ResultSet.class, real);
        this.statement = statement;
        this.reading = reading;
    }

    /** Reads the first row. How many there are is told only as far as it costs nothing. */
    StepResult peek() {
        try {
            if (real().getType() != ResultSet.TYPE_FORWARD_ONLY || ahead || real().isClosed()) {
                return StepResult.DONE;
            }
            any = real().next();
            ahead = true;
            long rows = !any ? 0 : real().getFetchSize() == 0 && real().isLast() ? 1 : -1;
            return new StepResult(rows, any ? values() : Map.of(), Optional.empty());
        } catch (SQLException e) {
            // the code will meet the same error when it asks for the row
            return StepResult.DONE;
        }
    }

    private Map<String, @Nullable String> values() throws SQLException {
        ResultSetMetaData columns = real().getMetaData();
        Map<String, @Nullable String> values = new LinkedHashMap<>();
        for (int i = 1; i <= Math.min(columns.getColumnCount(), MOST_COLUMNS); i++) {
            String value = real().getString(i);
            values.put(columns.getColumnLabel(i), value == null ? null : BoundValues.shortened(value));
        }
        return values;
    }

    @Override
    @Nullable
    Object call(Method method, Object[] arguments) throws Throwable {
        return switch (method.getName()) {
            case "next" -> next(method, arguments);
            case "isBeforeFirst" -> ahead ? any : forward(method, arguments);
            case "isFirst", "isLast", "isAfterLast" -> ahead ? false : forward(method, arguments);
            case "getRow" -> ahead ? 0 : forward(method, arguments);
            case "getStatement" -> statement.proxy();
            case "updateRow", "insertRow", "deleteRow", "refreshRow" ->
                statement
                        .owner()
                        .run(
                                method.getName() + " of " + statement.prepared(),
                                "",
                                () -> new Work.Done(forward(method, arguments), StepResult.DONE));
            default -> forward(method, arguments);
        };
    }

    private @Nullable Object next(Method method, Object[] arguments) throws Throwable {
        Object found = ahead ? any : forward(method, arguments);
        ahead = false;
        if (Boolean.TRUE.equals(found) && reading.isPresent()) {
            reading.orElseThrow().read(real());
        }
        return found;
    }
}

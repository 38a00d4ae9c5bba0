package dev.cerrojo.explorer.jdbc;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What {@code addBatch} collects. The driver sends a batch at once, but PostgreSQL runs it as the statements that it is: what
 * others commit between two of them is seen, and so each is a step.
 */
final class Batch {
    private final Map<Object, Setting> parameters = new TreeMap<>(Batch::inOrder);
    private final List<Entry> entries = new ArrayList<>();

    /** A call that set a parameter. */
    record Setting(Method method, List<@Nullable Object> arguments) {
        Object[] again() {
            return arguments.stream().map(Batch::unread).toArray();
        }
    }

    /** What a reader gave, which can be read only once. */
    private record Text(String text) {}

    /** What a stream gave. */
    private record Bytes(ByteBuffer bytes) {}

    /**
     * One statement.
     *
     * @param sql its text; empty when it is the prepared one
     * @param bound the values bound to it, for people
     * @param settings the calls that bound them
     */
    record Entry(String sql, String bound, List<Setting> settings) {}

    private static int inOrder(Object one, Object other) {
        return one instanceof Integer first && other instanceof Integer second
                ? first.compareTo(second)
                : String.valueOf(one).compareTo(String.valueOf(other));
    }

    /** Notes what a parameter is set to, and returns the arguments to set it with. */
    Object[] set(Method method, Object[] arguments) throws SQLException {
        List<@Nullable Object> kept = new ArrayList<>();
        for (Object argument : arguments) {
            kept.add(kept(argument));
        }
        Setting setting = new Setting(method, kept);
        parameters.put(arguments[0], setting);
        return setting.again();
    }

    /** The code may change it before the batch is run. */
    @SuppressWarnings("JavaUtilDate") // JDBC has no other for what is bound as DATE and TIMESTAMP in code of its age
    private static @Nullable Object kept(@Nullable Object value) throws SQLException {
        try {
            if (value instanceof Reader reader) {
                StringWriter text = new StringWriter();
                reader.transferTo(text);
                return new Text(text.toString());
            }
            if (value instanceof InputStream stream) {
                return new Bytes(ByteBuffer.wrap(stream.readAllBytes()));
            }
        } catch (IOException e) {
            throw new SQLException("the stream of a parameter could not be read: " + e.getMessage(), e);
        }
        if (value instanceof Date date) {
            return date.clone();
        }
        return value instanceof byte[] bytes ? bytes.clone() : value;
    }

    private static @Nullable Object unread(@Nullable Object value) {
        if (value instanceof Text text) {
            return new StringReader(text.text());
        }
        return value instanceof Bytes bytes
                ? new ByteArrayInputStream(bytes.bytes().array())
                : value;
    }

    void clearParameters() {
        parameters.clear();
    }

    void add(String bound) {
        entries.add(new Entry("", bound, List.copyOf(parameters.values())));
    }

    void addSql(String sql) {
        entries.add(new Entry(sql, "", List.of()));
    }

    void clear() {
        entries.clear();
    }

    /** {@return what was collected, which is none of it any more} */
    List<Entry> take() {
        List<Entry> taken = List.copyOf(entries);
        entries.clear();
        return taken;
    }

    /** {@return the counts of all entries, as the method gives them that was called for them} */
    static Object joined(List<Object> counts) {
        if (counts.stream().allMatch(int[].class::isInstance)) {
            return counts.stream()
                    .flatMapToInt(one -> Arrays.stream((int[]) one))
                    .toArray();
        }
        return counts.stream().flatMapToLong(one -> Arrays.stream((long[]) one)).toArray();
    }

    /**
     * {@return what the driver throws when an entry fails: the others are undone with it}
     *
     * @param e what it threw for the entry alone
     * @param entry which it is, from 0
     * @param size how many there are
     */
    static BatchUpdateException failure(BatchUpdateException e, int entry, int size) {
        long[] counts = new long[size];
        Arrays.fill(counts, Statement.EXECUTE_FAILED);
        String message = String.valueOf(e.getMessage()).replaceFirst("^Batch entry 0 ", "Batch entry " + entry + " ");
        BatchUpdateException failure =
                new BatchUpdateException(message, e.getSQLState(), e.getErrorCode(), counts, e.getCause());
        if (e.getNextException() != null) {
            failure.setNextException(e.getNextException());
        }
        return failure;
    }
}

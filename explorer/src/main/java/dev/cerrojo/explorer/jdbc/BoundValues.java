package dev.cerrojo.explorer.jdbc;

import java.lang.reflect.Array;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The values that were bound to a statement's parameters, for the reader of a trace. */
final class BoundValues {
    private static final int LONGEST = 60;

    private final Map<String, String> values = new TreeMap<>(BoundValues::byPlace);

    private static int byPlace(String one, String other) {
        int length = Integer.compare(one.length(), other.length());
        return length == 0 ? one.compareTo(other) : length;
    }

    void set(Object parameter, @Nullable Object value) {
        values.put(String.valueOf(parameter), shown(value));
    }

    void clear() {
        values.clear();
    }

    /** {@return a value as SQL writes it, as far as that is known} */
    static String shown(@Nullable Object value) {
        if (value == null) {
            return "NULL";
        }
        if (value instanceof Number || value instanceof Boolean) {
            return value.toString();
        }
        if (value.getClass().isArray()) {
            return "(" + Array.getLength(value) + " of "
                    + value.getClass().getComponentType().getSimpleName() + ")";
        }
        return isText(value)
                ? "'" + shortened(value.toString()) + "'"
                : "(" + value.getClass().getSimpleName() + ")";
    }

    /** What prints as its value, and not as an address, which would be another in each run. */
    private static boolean isText(Object value) {
        return value instanceof CharSequence
                || value.getClass().getName().startsWith("java.time.")
                || value instanceof java.util.Date
                || value instanceof java.util.UUID
                || value instanceof Enum<?>
                || value instanceof org.postgresql.util.PGobject;
    }

    static String shortened(String text) {
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
    }

    /** {@return all of them: {@code 1=7, 2='A'}} */
    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(value -> value.getKey() + "=" + value.getValue())
                .collect(Collectors.joining(", "));
    }
}

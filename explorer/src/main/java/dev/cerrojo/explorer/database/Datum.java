package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.scenario.Value;
import org.jspecify.annotations.Nullable;

/**
 * A value of a scenario's variable.
 *
 * @param type its PostgreSQL type, such as {@code int8}; {@code unknown} for a literal in quotes and for NULL
 * @param text its text form; null for SQL NULL
 */
public record Datum(String type, @Nullable String text) {
    static final String UNKNOWN = "unknown";

    /**
     * Takes a literal as PostgreSQL would: a whole number as {@code int4} or {@code int8}, a text as {@code unknown}.
     *
     * @param value the literal
     * @return the value
     */
    public static Datum of(Value value) {
        if (value instanceof Value.Int i) {
            return ofInteger(i.value());
        }
        if (value instanceof Value.Decimal d) {
            return new Datum("numeric", d.value().toPlainString());
        }
        if (value instanceof Value.Bool b) {
            return new Datum("bool", Boolean.toString(b.value()));
        }
        if (value instanceof Value.Text t) {
            return new Datum(UNKNOWN, t.value());
        }
        return new Datum(UNKNOWN, null);
    }

    static Datum ofInteger(long value) {
        return new Datum(value == (int) value ? "int4" : "int8", Long.toString(value));
    }

    /** The value as SQL would write it. */
    @Override
    public String toString() {
        if (text == null) {
            return "null";
        }
        return isNumber() || type.equals("bool") ? text : "'" + text.replace("'", "''") + "'";
    }

    private boolean isNumber() {
        return switch (type) {
            case "int2", "int4", "int8", "numeric", "float4", "float8" -> true;
            default -> false;
        };
    }
}

package dev.cerrojo.explorer.database;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGobject;

/**
 * How much of a variable's type PostgreSQL is told. A literal in SQL says that 1 is an integer and leaves 'A' to its
 * context, so that is tried first; the statements that need another way are few, and each is tried when the scenario is
 * loaded.
 */
enum Binding {
    /** Numbers and booleans by their type, all else left to the context, as a literal would be. */
    LITERAL,
    /** Everything by its type. */
    TYPED,
    /** Everything left to the context. */
    UNTYPED;

    void bind(PreparedStatement statement, int index, String type, @Nullable String text) throws SQLException {
        if (this == UNTYPED) {
            statement.setObject(index, text, Types.OTHER);
            return;
        }
        switch (type) {
            case "int2", "int4" -> bindInteger(statement, index, text);
            case "int8" -> bindLong(statement, index, text);
            case "numeric" -> bindNumeric(statement, index, text);
            case "float4" -> bindFloat(statement, index, text);
            case "float8" -> bindDouble(statement, index, text);
            case "bool" -> bindBoolean(statement, index, text);
            default -> bindOther(statement, index, type, text);
        }
    }

    /** PostgreSQL's numeric has values that a BigDecimal has not: NaN and the infinities. */
    private static void bindNumeric(PreparedStatement statement, int index, @Nullable String text) throws SQLException {
        if (text == null || isFinite(text)) {
            statement.setBigDecimal(index, text == null ? null : new BigDecimal(text));
        } else {
            bindTyped(statement, index, "numeric", text);
        }
    }

    private static boolean isFinite(String numeric) {
        return !numeric.equals("NaN") && !numeric.endsWith("Infinity");
    }

    private static void bindInteger(PreparedStatement statement, int index, @Nullable String text) throws SQLException {
        if (text == null) {
            statement.setNull(index, Types.INTEGER);
        } else {
            statement.setInt(index, Integer.parseInt(text));
        }
    }

    private static void bindLong(PreparedStatement statement, int index, @Nullable String text) throws SQLException {
        if (text == null) {
            statement.setNull(index, Types.BIGINT);
        } else {
            statement.setLong(index, Long.parseLong(text));
        }
    }

    private static void bindFloat(PreparedStatement statement, int index, @Nullable String text) throws SQLException {
        if (text == null) {
            statement.setNull(index, Types.REAL);
        } else {
            statement.setFloat(index, Float.parseFloat(text));
        }
    }

    private static void bindDouble(PreparedStatement statement, int index, @Nullable String text) throws SQLException {
        if (text == null) {
            statement.setNull(index, Types.DOUBLE);
        } else {
            statement.setDouble(index, Double.parseDouble(text));
        }
    }

    private static void bindBoolean(PreparedStatement statement, int index, @Nullable String text) throws SQLException {
        if (text == null) {
            statement.setNull(index, Types.BOOLEAN);
        } else {
            statement.setBoolean(index, text.startsWith("t"));
        }
    }

    private void bindOther(PreparedStatement statement, int index, String type, @Nullable String text)
            throws SQLException {
        if (this == LITERAL) {
            statement.setObject(index, text, Types.OTHER);
            return;
        }
        bindTyped(statement, index, type.equals(Datum.UNKNOWN) ? "text" : type, text);
    }

    private static void bindTyped(PreparedStatement statement, int index, String type, @Nullable String text)
            throws SQLException {
        PGobject typed = new PGobject();
        typed.setType(type);
        typed.setValue(text);
        statement.setObject(index, typed);
    }
}

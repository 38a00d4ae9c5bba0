package dev.cerrojo.tx;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;

/** A transaction isolation level of PostgreSQL. READ UNCOMMITTED is left out: PostgreSQL runs it as READ COMMITTED. */
public enum Isolation {
    /** Each statement sees what was committed before it began. */
    READ_COMMITTED("read committed", Connection.TRANSACTION_READ_COMMITTED),
    /** Each statement sees what was committed before the first statement of the transaction took its snapshot. */
    REPEATABLE_READ("repeatable read", Connection.TRANSACTION_REPEATABLE_READ),
    /** As REPEATABLE READ, and transactions that could not have run one after another fail with 40001. */
    SERIALIZABLE("serializable", Connection.TRANSACTION_SERIALIZABLE);

    private final String sql;
    private final int jdbcLevel;

    Isolation(String sql, int jdbcLevel) {
        this.sql = sql;
        this.jdbcLevel = jdbcLevel;
    }

    /** {@return the level as SQL writes it, in lower case: {@code read committed}} */
    public String sql() {
        return sql;
    }

    /** {@return the level as {@link Connection#setTransactionIsolation(int)} takes it} */
    public int jdbcLevel() {
        return jdbcLevel;
    }

    /**
     * {@return the level of the transaction that is open on a connection, or of the next one, as PostgreSQL says}
     *
     * <p>One round trip. It takes no snapshot, so that the level may still be set after it.
     *
     * @throws SQLException when PostgreSQL cannot tell
     */
    public static Isolation of(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW transaction_isolation")) {
            row.next();
            return ofSql(row.getString(1));
        }
    }

    /**
     * {@return the level that SQL writes so, in lower case; READ COMMITTED for {@code read uncommitted}, which runs as it}
     *
     * @throws IllegalArgumentException for anything else
     */
    public static Isolation ofSql(String sql) {
        String run = sql.equals("read uncommitted") ? READ_COMMITTED.sql : sql;
        return Arrays.stream(values())
                .filter(level -> level.sql.equals(run))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("isolation level must be read uncommitted, read committed,"
                                + " repeatable read or serializable, but was \"" + sql + "\""));
    }
}

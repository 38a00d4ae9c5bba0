package dev.cerrojo.tx;

import java.sql.Connection;

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
}

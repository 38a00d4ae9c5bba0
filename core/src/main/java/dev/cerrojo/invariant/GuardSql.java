package dev.cerrojo.invariant;

import dev.cerrojo.internal.JdbcSql;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The two statements of a guarded transaction, for a number of scopes; making them takes longer than sending them.
 *
 * @param take takes the serialization point. One that is not right at every level returns, in the first column, the level that
 *     the transaction really has; a row for each scope at most
 * @param check returns the violating rows
 */
record GuardSql(JdbcSql take, JdbcSql check) {
    private static final String VARIABLE = "cerrojo_scope";
    private static final String LEVEL = "current_setting('transaction_isolation')";
    private static final String SELECT = "SELECT ";

    /**
     * {@return the statements}
     *
     * @param scopes how many; not looked at in global scope
     * @param type what each key is cast to; empty in global scope
     */
    static GuardSql of(SerializationPoint point, int scopes, Optional<KeyType> type) {
        List<String> places = type.map(keyType -> Collections.nCopies(scopes, keyType.cast(":" + VARIABLE)))
                .orElse(List.of(""));
        return new GuardSql(
                JdbcSql.of(withLevel(taking(point, places)), VARIABLE),
                JdbcSql.of(point.invariant().violationSqlFor(places), VARIABLE));
    }

    /** One scope needs no order, and the statement without one costs the server a good part less. */
    private static String taking(SerializationPoint point, List<String> places) {
        return places.size() == 1 ? point.sql(places.get(0)) : point.sql(places);
    }

    /** In the same statement: a SELECT of its own would take the snapshot, and SHOW would be a second statement. */
    private static String withLevel(String sql) {
        return sql.startsWith(SELECT) ? SELECT + LEVEL + ", " + sql.substring(SELECT.length()) : sql;
    }
}

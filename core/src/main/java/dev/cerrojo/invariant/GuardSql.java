package dev.cerrojo.invariant;

import dev.cerrojo.internal.JdbcSql;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The two statements of a guarded transaction, for a number of scopes; making them takes longer than sending them.
 *
 * @param take takes the serialization point. It first asks for the level that the transaction really has: SHOW takes no
 *     snapshot, so the point's statement is still the first that does
 * @param check returns the violating rows
 */
record GuardSql(JdbcSql take, JdbcSql check) {
    private static final String VARIABLE = "cerrojo_scope";

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
                JdbcSql.of("SHOW transaction_isolation; " + point.sql(places), VARIABLE),
                JdbcSql.of(point.invariant().violationSqlFor(places), VARIABLE));
    }
}

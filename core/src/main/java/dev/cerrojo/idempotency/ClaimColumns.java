package dev.cerrojo.idempotency;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How keys and results stand in a table. */
interface ClaimColumns<K, R> {
    /** {@return the table's statements} */
    ClaimStatements statements();

    /** {@return the values of the key's columns} */
    List<@Nullable Object> key(K key);

    /** {@return the values of the result's columns} */
    List<@Nullable Object> result(R result);

    /** {@return the result in a row} */
    R result(ResultSet row) throws SQLException;
}

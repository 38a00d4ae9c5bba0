package dev.cerrojo.optimistic;

import dev.cerrojo.CerrojoException;
import java.io.Serial;
import java.util.List;

/** No row has the key: it was deleted, or the transaction cannot see it. The transaction is usable still. */
public final class RowGoneException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final String table;
    private final transient List<Object> key;

    RowGoneException(RowId row) {
        super(row + " is not there: it was deleted, or a row security policy hides it");
        this.table = row.table();
        this.key = row.key();
    }

    /** {@return the table, as SQL text} */
    public String table() {
        return table;
    }

    /** {@return the values of the key, in the order of its columns} */
    public List<Object> key() {
        return key;
    }
}

package dev.cerrojo.optimistic;

import dev.cerrojo.CerrojoException;
import java.io.Serial;
import java.util.List;

/** The row is at the expected version, but the UPDATE changed nothing: a trigger that returns NULL, a rule or a row security policy keeps it from being changed. Trying again does not help. The transaction is usable still. */
public final class UpdateSuppressedException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final String table;
    private final transient List<Object> key;

    UpdateSuppressedException(RowId row, long version) {
        super(
                "%s is at version %d, as expected, but the UPDATE changed nothing: look for a trigger that returns NULL, a rule, or a row security policy for UPDATE"
                        .formatted(row, version));
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

package dev.cerrojo;

import java.io.Serial;
import java.util.List;

/** No row has the key: it was deleted, or the transaction cannot see it. The transaction is usable still. */
public final class RowGoneException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final String table;
    private final transient List<Object> key;

    /**
     * Says it.
     *
     * @param row the row as messages name it
     * @param table the table, as SQL text
     * @param key the values of the key
     */
    public RowGoneException(String row, String table, List<Object> key) {
        super(row + " is not there: it was deleted, or a row security policy hides it");
        this.table = table;
        this.key = List.copyOf(key);
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

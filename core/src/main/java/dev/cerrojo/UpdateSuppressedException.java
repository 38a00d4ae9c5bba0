package dev.cerrojo;

import java.io.Serial;
import java.util.List;

/** The row is there, at the expected version, but the UPDATE changed nothing: a trigger that returns NULL, a rule or a row security policy keeps it from being changed. Trying again does not help. The transaction is usable still. */
public final class UpdateSuppressedException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final String table;
    private final transient List<Object> key;

    /**
     * Says it.
     *
     * @param found the row as it was found: {@code article id=7 is at version 3, as expected}
     * @param table the table, as SQL text
     * @param key the values of the key
     */
    public UpdateSuppressedException(String found, String table, List<Object> key) {
        super(
                "%s, but the UPDATE changed nothing: look for a trigger that returns NULL, a rule, or a row security policy for UPDATE"
                        .formatted(found));
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

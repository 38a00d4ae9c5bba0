package dev.cerrojo;

import java.io.Serial;
import java.util.List;
import java.util.Optional;

/**
 * The row was not changed, since it is at another version than expected: somebody else has changed it. The transaction is usable
 * still. Read the row again, and apply the change to what is there now.
 */
public final class StaleVersionException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final String table;
    private final transient List<Object> key;
    private final long expectedVersion;
    private final transient Optional<Long> currentVersion;

    /**
     * Says it.
     *
     * @param row the row as messages name it
     * @param table the table, as SQL text
     * @param key the values of the key
     * @param expectedVersion as it was read
     * @param currentVersion as it is; empty for NULL
     */
    public StaleVersionException(
            String row, String table, List<Object> key, long expectedVersion, Optional<Long> currentVersion) {
        super(
                "%s is at version %s, but version %d was expected: read it again and apply the change to what is there now"
                        .formatted(row, currentVersion.map(String::valueOf).orElse("NULL"), expectedVersion));
        this.table = table;
        this.key = List.copyOf(key);
        this.expectedVersion = expectedVersion;
        this.currentVersion = currentVersion;
    }

    /** {@return the table, as SQL text} */
    public String table() {
        return table;
    }

    /** {@return the values of the key, in the order of its columns} */
    public List<Object> key() {
        return key;
    }

    /** {@return the version that the caller had read} */
    public long expectedVersion() {
        return expectedVersion;
    }

    /**
     * {@return the version that the transaction sees; empty when it is NULL}
     *
     * <p>Above READ COMMITTED it may be older than what is committed by now.
     */
    public Optional<Long> currentVersion() {
        return currentVersion;
    }
}

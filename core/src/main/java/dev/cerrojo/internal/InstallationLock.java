package dev.cerrojo.internal;

import java.nio.ByteBuffer;

/**
 * What all who make or change Cerrojo's own objects in a schema take first: {@code CREATE … IF NOT EXISTS} fails when two
 * do it at once.
 */
public final class InstallationLock {
    private InstallationLock() {}

    /** {@return the statement that takes it until the transaction ends; it waits, within {@code lock_timeout}} */
    public static String sql(String ownSchema) {
        return "SELECT pg_advisory_xact_lock(" + key(ownSchema) + ")";
    }

    /** {@return the key of that advisory lock} */
    public static long key(String ownSchema) {
        return ByteBuffer.wrap(Identifiers.sha256("cerrojo:schema:" + ownSchema))
                .getLong();
    }
}

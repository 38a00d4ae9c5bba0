package dev.cerrojo.lease;

import javax.sql.DataSource;

/**
 * The fences of leases, in PostgreSQL, where the protected data is: which acquisition of each entity and group is the newest. They
 * work with leases of any store, and their tokens are drawn from PostgreSQL, so that a store that loses its memory does no harm.
 *
 * <pre>{@code
 * Leases leases = Leases.over(store, settings, Fences.over(dataSource));
 * }</pre>
 *
 * <p>Safe for use by several threads.
 */
public final class Fences {
    private final DataSource dataSource;

    private Fences(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** {@return the fences in the tables of {@link dev.cerrojo.schema.Schema}, schema {@code cerrojo}} */
    public static Fences over(DataSource dataSource) {
        return new Fences(dataSource);
    }
}

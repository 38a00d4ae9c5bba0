package dev.cerrojo.embedded;

/** A PostgreSQL server of its own. */
public final class EmbeddedPostgres implements AutoCloseable {
    private EmbeddedPostgres() {}

    /** {@return the URL of the server's database {@code postgres}, user and password included} */
    public String jdbcUrl() {
        throw new UnsupportedOperationException();
    }

    /** {@return the URL of another database of the server, user and password included} */
    public String jdbcUrl(String database) {
        throw new UnsupportedOperationException(database);
    }

    @Override
    public void close() {}
}

package dev.cerrojo.explorer.tests.leases;

/** The time of all that is held is over: what the server's clock would do, as a statement, so that it can come at any step. */
final class Expiry {
    static final String SQL = """
            UPDATE cerrojo.lease SET holds = ARRAY(
              SELECT ROW(h.field_group, h.owner, h.token, '-infinity')::cerrojo.lease_hold FROM unnest(holds) AS h)""";

    /** The same, while the holder reads. */
    static final String WHILE_READING = "WITH expiry AS (%s) SELECT n FROM counter".formatted(SQL);

    private Expiry() {}
}

package dev.cerrojo.lease;

import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.Template;
import java.util.Map;

/**
 * The names of the tables of leases, as SQL text.
 *
 * @param schema the schema that they are in
 */
record LeaseTables(String schema) {
    /** A token that a crash could take back would be drawn twice. */
    private static final String DURABLE = """
            CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END""";

    static final LeaseTables DEFAULT = new LeaseTables(GuardTable.DEFAULT_SCHEMA);

    /** {@return a statement with {@code {lease}}, {@code {fence}}, {@code {hold}}, {@code {nexttoken}} and {@code {durable}} filled in} */
    String sql(String template) {
        return new Template(template)
                .fill(Map.of(
                        "lease",
                        qualified("lease"),
                        "fence",
                        qualified("fence"),
                        "hold",
                        qualified("lease_hold"),
                        "nexttoken",
                        "nextval(%s::regclass)".formatted(Identifiers.quoteLiteral(qualified("lease_token"))),
                        "durable",
                        DURABLE));
    }

    private String qualified(String name) {
        return Identifiers.quote(schema) + '.' + name;
    }
}

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
    static final LeaseTables DEFAULT = new LeaseTables(GuardTable.DEFAULT_SCHEMA);

    /** {@return a statement with {@code {lease}}, {@code {fence}}, {@code {hold}} and {@code {token}} filled in} */
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
                        "nextval(%s::regclass)".formatted(Identifiers.quoteLiteral(qualified("lease_token")))));
    }

    private String qualified(String name) {
        return Identifiers.quote(schema) + '.' + name;
    }
}

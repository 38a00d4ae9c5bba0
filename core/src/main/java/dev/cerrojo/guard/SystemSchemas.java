package dev.cerrojo.guard;

import dev.cerrojo.internal.SqlName;
import dev.cerrojo.invariant.Invariant;
import java.util.Collection;

/** Refuses what can be seen to be no table of the user's from its name alone. */
final class SystemSchemas {
    private SystemSchemas() {}

    static void refuse(Invariant invariant, Collection<SqlName> tables) {
        for (SqlName table : tables) {
            String schema = table.schema().orElse("");
            if (schema.startsWith("pg_") || schema.equals("information_schema")) {
                throw new GuardNotPossibleException(
                        "invariant %s cannot be guarded on %s, which is of the system or temporary: name the tables that the data is in"
                                .formatted(invariant.name(), table.sql()));
            }
        }
    }
}

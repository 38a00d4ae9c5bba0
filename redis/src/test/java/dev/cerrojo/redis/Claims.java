package dev.cerrojo.redis;

import dev.cerrojo.lease.LeaseClaim;
import java.util.List;
import java.util.UUID;

/** Claims of owners that nobody else is. */
final class Claims {
    private Claims() {}

    static String newEntity() {
        return "entity/" + UUID.randomUUID();
    }

    static LeaseClaim of(String entity, String... groups) {
        return new LeaseClaim(
                entity, List.of(groups), UUID.randomUUID().toString().replace("-", ""));
    }
}

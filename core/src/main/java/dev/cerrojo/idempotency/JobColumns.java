package dev.cerrojo.idempotency;

import dev.cerrojo.internal.GuardTable;
import java.sql.ResultSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The table of jobs. */
enum JobColumns implements ClaimColumns<JobKey, Done> {
    /** The one of Cerrojo's schema. */
    DEFAULT;

    private static final ClaimStatements STATEMENTS =
            ClaimStatements.of(GuardTable.DEFAULT_SCHEMA + ".job", List.of("operation", "key"), Map.of());

    @Override
    public ClaimStatements statements() {
        return STATEMENTS;
    }

    @Override
    public List<@Nullable Object> key(JobKey key) {
        return List.of(key.operation(), key.key());
    }

    @Override
    public List<@Nullable Object> result(Done done) {
        return List.of();
    }

    @Override
    public Done result(ResultSet row) {
        return Done.DONE;
    }
}

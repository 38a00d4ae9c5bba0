package dev.cerrojo.spring.boot.actuate;

import dev.cerrojo.schema.Schema;
import dev.cerrojo.schema.SchemaMode;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Down when Cerrojo's tables are missing, or a guard in the database is not as it should be. */
final class CerrojoHealthIndicator extends AbstractHealthIndicator {
    private final Schema schema;
    private final SchemaMode mode;
    private final StateQueries queries;

    CerrojoHealthIndicator(Schema schema, SchemaMode mode, StateQueries queries) {
        super("Cerrojo's state cannot be read");
        this.schema = schema;
        this.mode = mode;
        this.queries = queries;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) throws SQLException {
        if (mode != SchemaMode.NONE) {
            schema.validate();
        }
        Map<String, List<String>> drift = queries.guardDrift();
        if (drift.values().stream().allMatch(List::isEmpty)) {
            health.up();
        } else {
            health.down();
        }
        health.withDetail("guards", drift);
    }
}

package dev.cerrojo.guard;

import dev.cerrojo.schema.Finding;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Compares a guard with what is in the catalog. */
sealed interface Inspection permits TriggerInspection, ConstraintInspection {
    static Inspection of(Connection connection, Guard guard) {
        return guard instanceof TriggerGuard triggers
                ? new TriggerInspection(connection, triggers)
                : new ConstraintInspection(connection, (NativeConstraint) guard);
    }

    /** {@return in what they differ; one of kind NOT_INSTALLED alone when nothing is there} */
    List<Finding> findings() throws SQLException;

    /** {@return queries with one text each: what about the tables the guard cannot keep, or NULL} */
    List<String> problemQueries();
}

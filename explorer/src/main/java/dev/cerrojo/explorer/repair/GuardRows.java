package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Scope;
import dev.cerrojo.invariant.SerializationPoint;
import java.util.List;

/** The rows of the guard table, made before anything is measured: the first touch of a scope makes one, all others change it. */
final class GuardRows {
    private static final String EACH = """
            DO $cerrojo$
            DECLARE cerrojo_scope record;
            BEGIN
              FOR cerrojo_scope IN SELECT %1$s AS key FROM %2$s WHERE %1$s IS NOT NULL ORDER BY 1 LOOP
                %3$s;
              END LOOP;
            END $cerrojo$;
            """;

    private GuardRows() {}

    /** {@return the scenario with a guard row for each scope that its setup makes} */
    static Scenario in(Scenario scenario, List<Invariant> invariants) {
        Scenario settled = scenario;
        for (Invariant invariant : invariants) {
            settled = settled.withSetupAppended(sql(invariant));
        }
        return settled;
    }

    private static String sql(Invariant invariant) {
        SerializationPoint touch = SerializationPoint.touch(invariant);
        return invariant.scope() instanceof Scope.Table scope
                ? EACH.formatted(scope.key(), scope.table(), touch.sql("cerrojo_scope.key"))
                : touch.sql("NULL") + ";\n";
    }
}

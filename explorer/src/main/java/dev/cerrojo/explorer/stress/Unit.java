package dev.cerrojo.explorer.stress;

import dev.cerrojo.explorer.database.Datum;
import dev.cerrojo.explorer.database.FreeTransaction;
import dev.cerrojo.explorer.scenario.Call;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.sql.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Steps of a call that are committed together.
 *
 * @param from the first step
 * @param to the step behind the last one
 */
record Unit(TransactionSpec spec, Call call, FreeTransaction transaction, int from, int to) {
    private static final Set<String> READ_ONLY = Set.of("SELECT", "VALUES", "TABLE", "SHOW");

    /** {@return the units of a call: one, unless it commits in between} */
    static List<Unit> of(TransactionSpec spec, Call call, FreeTransaction transaction) {
        List<Unit> units = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < spec.steps().size(); i++) {
            boolean commits = spec.steps().get(i) instanceof Step.Commit;
            if (commits || !spec.atomic()) {
                units.add(new Unit(spec, call, transaction, from, commits ? i : i + 1));
                from = i + 1;
            }
        }
        if (from < spec.steps().size()) {
            units.add(new Unit(spec, call, transaction, from, spec.steps().size()));
        }
        return units;
    }

    /** {@return the variables of the call, as they are before its first step, or as the units before left them} */
    Map<String, Datum> variables(Map<String, Datum> before) {
        if (from > 0) {
            return new HashMap<>(before);
        }
        Map<String, Datum> variables = new HashMap<>();
        call.arguments().forEach((name, value) -> variables.put(name, Datum.of(value)));
        return variables;
    }

    /** {@return the refusal of a check that is not true} */
    Optional<String> run(int step, Connection connection, Map<String, Datum> variables) throws SQLException {
        return transaction.run(step, connection, variables);
    }

    /** {@return the first step that may write; the step behind the last one when none does} */
    int firstWrite() {
        for (int i = from; i < to; i++) {
            if (spec.steps().get(i) instanceof Step.Statement step
                    && !READ_ONLY.contains(SqlText.of(step.sql().text()).firstWord())) {
                return i;
            }
        }
        return to;
    }
}

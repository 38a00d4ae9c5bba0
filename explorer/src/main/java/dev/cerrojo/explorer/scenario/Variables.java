package dev.cerrojo.explorer.scenario;

import dev.cerrojo.explorer.sql.SqlText;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds variables that nothing can have bound. Which columns a statement yields is not known from its text, so a
 * variable behind a statement that yields some is left to the run.
 */
final class Variables {
    private static final Set<String> QUERIES = Set.of("SELECT", "WITH", "VALUES", "TABLE", "EXECUTE", "SHOW", "CALL");

    private Variables() {}

    static void check(TransactionSpec transaction, String suffix, Problems problems) {
        Set<String> bound = new HashSet<>(transaction.params());
        for (Step step : transaction.steps()) {
            if (step instanceof Step.Statement statement) {
                for (String variable :
                        new java.util.LinkedHashSet<>(statement.sql().variables())) {
                    if (!bound.contains(variable)) {
                        problems.add(step.at(), unbound(variable, transaction.params()) + suffix);
                    }
                }
                if (mayBindMore(statement)) {
                    return;
                }
                if (statement instanceof Step.Write) {
                    bound.add("rowcount");
                }
            }
        }
    }

    private static String unbound(String variable, List<String> params) {
        String hint = params.isEmpty() ? "; the transaction has no params" : Nearest.hint(variable, params);
        return "nothing binds :" + variable + ": it is no parameter, and no earlier step reads it" + hint;
    }

    private static boolean mayBindMore(Step.Statement statement) {
        if (statement instanceof Step.Write write) {
            SqlText text = SqlText.of(write.sql().text());
            return text.has("RETURNING") || QUERIES.contains(text.firstWord());
        }
        return statement instanceof Step.Read;
    }
}

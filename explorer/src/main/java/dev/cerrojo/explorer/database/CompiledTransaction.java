package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.scenario.TransactionSpec;
import java.util.List;
import java.util.Optional;

/**
 * A transaction whose statements PostgreSQL has seen.
 *
 * @param spec the transaction
 * @param statements for each of its steps the statement; empty for a commit
 * @param computed for each of its steps whether the application computes it: a check over variables only
 */
record CompiledTransaction(TransactionSpec spec, List<Optional<CompiledStatement>> statements, List<Boolean> computed) {
    CompiledTransaction {
        statements = List.copyOf(statements);
        computed = List.copyOf(computed);
    }
}

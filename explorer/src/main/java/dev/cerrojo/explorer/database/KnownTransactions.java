package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.scenario.Call;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Transactions that PostgreSQL has seen, each once for the types of its arguments. Used by one thread at a time. */
final class KnownTransactions {
    private final Supplier<StatementCompiler> compiler;
    private final Map<Signature, CompiledTransaction> known = new HashMap<>();

    private record Signature(TransactionSpec spec, List<String> types) {}

    KnownTransactions(Supplier<StatementCompiler> compiler) {
        this.compiler = compiler;
    }

    CompiledTransaction of(TransactionSpec spec, Call call) {
        List<String> types = call.arguments().values().stream()
                .map(value -> Datum.of(value).type())
                .toList();
        return known.computeIfAbsent(
                new Signature(spec, types), signature -> compiler.get().compile(spec, call));
    }
}

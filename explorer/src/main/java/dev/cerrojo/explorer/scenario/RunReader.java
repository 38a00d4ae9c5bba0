package dev.cerrojo.explorer.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code run} and {@code runs} against the transactions of the file. */
final class RunReader {
    private static final int MOST_SESSIONS = 26;

    private final Map<String, TransactionSpec> transactions;

    RunReader(Map<String, TransactionSpec> transactions) {
        this.transactions = transactions;
    }

    /** {@return the runs of a file, of {@code run} or of {@code runs}, one of which must be there} */
    List<Run> runs(Keys root) {
        if (root.has("run") && root.has("runs")) {
            root.refuse("runs", "only one of \"run\" and \"runs\" is allowed, but both are there");
        } else if (!root.has("run") && !root.has("runs")) {
            root.problem("\"run\" is missing: which transactions run at once");
        }
        List<Run> runs = new ArrayList<>(
                root.find("run").flatMap(this::run).map(List::of).orElse(List.of()));
        root.find("runs").map(Field::someItems).orElse(List.of()).stream()
                .flatMap(entry -> run(entry).stream())
                .forEach(runs::add);
        return runs;
    }

    /** {@return one run: a list of entries} */
    Optional<Run> run(Field list) {
        List<Field> entries = list.someItems();
        if (entries.size() > MOST_SESSIONS) {
            list.problem("must have 1 to " + MOST_SESSIONS + " entries, but had " + entries.size());
            return Optional.empty();
        }
        List<Session> sessions =
                entries.stream().flatMap(entry -> session(entry).stream()).toList();
        return sessions.isEmpty() ? Optional.empty() : Optional.of(new Run(sessions, list.at()));
    }

    private Optional<Session> session(Field entry) {
        return entry.text().flatMap(text -> calls(entry, text)).map(Session::new);
    }

    private Optional<List<Call>> calls(Field entry, String text) {
        try {
            List<Call> calls = RunEntry.parse(text);
            return Optional.of(calls.stream().map(call -> checked(entry, call)).toList());
        } catch (IllegalArgumentException e) {
            String hint = text.contains("(") && !text.contains(")") ? "; quote an entry in a list with [ ]" : "";
            entry.problem("is no run entry: " + e.getMessage() + hint);
            return Optional.empty();
        }
    }

    /** The call with its arguments in the order of the parameters. */
    private Call checked(Field entry, Call call) {
        TransactionSpec spec = transactions.get(call.transaction());
        if (spec == null) {
            entry.problem("unknown transaction " + Field.quoted(call.transaction())
                    + Nearest.hint(call.transaction(), transactions.keySet()));
            return call;
        }
        Map<String, Value> ordered = new LinkedHashMap<>();
        for (String param : spec.params()) {
            Value value = call.arguments().get(param);
            if (value == null) {
                entry.problem("parameter " + param + " of " + spec.name() + " is missing: " + signature(spec));
            } else {
                ordered.put(param, value);
            }
        }
        call.arguments().keySet().stream()
                .filter(param -> !spec.params().contains(param))
                .forEach(param -> entry.problem(unknown(param, spec)));
        return new Call(call.transaction(), ordered);
    }

    private static String unknown(String param, TransactionSpec spec) {
        String hint = spec.params().isEmpty() ? "; it has none" : Nearest.hint(param, spec.params());
        return "unknown parameter " + Field.quoted(param) + " of " + spec.name() + hint;
    }

    private static String signature(TransactionSpec spec) {
        return "write " + spec.name() + "(" + String.join("=…, ", spec.params()) + "=…)";
    }
}

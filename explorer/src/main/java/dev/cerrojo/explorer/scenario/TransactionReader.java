package dev.cerrojo.explorer.scenario;

import dev.cerrojo.tx.Isolation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads {@code transactions} and fills in the defaults of the file. */
final class TransactionReader {
    private static final List<String> KEYS = List.of("params", "scope", "isolation", "retry", "atomic", "steps");
    private static final List<String> LEVELS =
            Stream.of(Isolation.values()).map(Isolation::sql).toList();
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");
    private static final Pattern PARAM = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final int MOST_RETRIES = 100;

    private final Isolation isolation;
    private final int retry;

    private TransactionReader(Isolation isolation, int retry) {
        this.isolation = isolation;
        this.retry = retry;
    }

    /** {@return the transactions of a file, which must have some} */
    static Map<String, TransactionSpec> transactions(Keys root) {
        TransactionReader reader = new TransactionReader(
                root.find("isolation").flatMap(TransactionReader::isolation).orElse(Isolation.READ_COMMITTED),
                root.find("retry").flatMap(TransactionReader::retry).orElse(0));
        Map<String, TransactionSpec> transactions = new LinkedHashMap<>();
        Optional<Keys> named =
                root.need("transactions", "a map name → transaction").flatMap(Field::named);
        named.filter(keys -> keys.names().isEmpty()).ifPresent(keys -> keys.problem("must not be empty"));
        for (String name : named.map(Keys::names).orElse(List.of())) {
            transactions.put(name, reader.transaction(name, named.orElseThrow()));
        }
        return transactions;
    }

    static Optional<Isolation> isolation(Field value) {
        Optional<String> text = value.text();
        Optional<Isolation> level = text.flatMap(TransactionReader::level);
        if (text.isPresent() && level.isEmpty()) {
            value.problem(noLevel(text.get()));
        }
        return level;
    }

    private static Optional<Isolation> level(String text) {
        return Stream.of(Isolation.values())
                .filter(level -> level.sql().equalsIgnoreCase(text.strip()))
                .findFirst();
    }

    private static String noLevel(String text) {
        if (text.strip().toLowerCase(Locale.ROOT).equals("read uncommitted")) {
            return "\"read uncommitted\" is not allowed: PostgreSQL runs it as read committed; write that";
        }
        return "unknown isolation level " + Field.quoted(text) + Nearest.hint(text, LEVELS);
    }

    static Optional<Integer> retry(Field value) {
        return value.wholeNumber(0, MOST_RETRIES).map(Long::intValue);
    }

    private TransactionSpec transaction(String name, Keys transactions) {
        if (!NAME.matcher(name).matches()) {
            transactions.refuse(name, "a name must be a letter or _, then letters, digits, _ or -");
        }
        Field value = transactions.find(name).orElseThrow();
        Optional<Keys> keys = value.keys(KEYS);
        List<String> params = keys.flatMap(found -> found.find("params"))
                .map(TransactionReader::params)
                .orElse(List.of());
        TransactionSpec spec = new TransactionSpec(
                name,
                params,
                keys.flatMap(found -> found.find("scope")).flatMap(scope -> scope(scope, params)),
                keys.flatMap(found -> found.find("isolation"))
                        .flatMap(TransactionReader::isolation)
                        .orElse(isolation),
                keys.flatMap(found -> found.find("retry"))
                        .flatMap(TransactionReader::retry)
                        .orElse(retry),
                keys.flatMap(found -> found.find("atomic"))
                        .flatMap(Field::truth)
                        .orElse(true),
                keys.flatMap(found -> found.need("steps", "a list of read, check, write and commit"))
                        .map(StepReader::steps)
                        .orElse(List.of()),
                value.at());
        Variables.check(spec, "", value.problems());
        return spec;
    }

    private static List<String> params(Field list) {
        List<String> params = new ArrayList<>();
        for (Field entry : list.isEmpty() ? List.<Field>of() : list.items()) {
            entry.word().ifPresent(name -> {
                if (!PARAM.matcher(name).matches()) {
                    entry.problem("a parameter must be a letter or _, then letters, digits or _, but was "
                            + Field.quoted(name));
                } else if (name.equals("rowcount")) {
                    entry.problem("a parameter must not be named rowcount: a write binds it");
                } else if (params.contains(name)) {
                    entry.problem("parameter " + name + " is there twice");
                } else {
                    params.add(name);
                }
            });
        }
        return params;
    }

    private static Optional<String> scope(Field value, List<String> params) {
        Optional<String> scope = value.text();
        if (scope.isPresent() && !params.contains(scope.get())) {
            String hint = params.isEmpty() ? "; it has none" : Nearest.hint(scope.get(), params);
            value.problem("must be a parameter of the transaction, but was " + Field.quoted(scope.get()) + hint);
            return Optional.empty();
        }
        return scope;
    }
}

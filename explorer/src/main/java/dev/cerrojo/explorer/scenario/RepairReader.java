package dev.cerrojo.explorer.scenario;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.tx.Isolation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Reads {@code repairs} and applies each to the scenario: first {@code steps}, then {@code replace}, whose indexes count
 * the transaction's own steps, then {@code prepend} and {@code append}.
 */
final class RepairReader {
    private static final List<String> KEYS = List.of(
            "name",
            "expect",
            "prepend",
            "append",
            "replace",
            "steps",
            "isolation",
            "retry",
            "atomic",
            "run",
            "invariant",
            "setup",
            "setup_append");

    private final Scenario base;
    private final Problems problems;

    RepairReader(Scenario base, Problems problems) {
        this.base = base;
        this.problems = problems;
    }

    List<Repair> repairs(Field list) {
        List<Repair> repairs = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Field entry : list.isEmpty() ? List.<Field>of() : list.items()) {
            entry.keys(KEYS).flatMap(keys -> repair(entry, keys)).ifPresent(repair -> {
                if (!names.add(repair.name())) {
                    entry.problem("repair " + Field.quoted(repair.name()) + " is there twice");
                }
                repairs.add(repair);
            });
        }
        return repairs;
    }

    private Optional<Repair> repair(Field entry, Keys keys) {
        Optional<String> name = keys.need("name", "what to call the repair").flatMap(Field::word);
        Optional<Expectation> expect = keys.find("expect").flatMap(Expectations::ofRepair);
        Scenario repaired = applied(keys, name.orElse(""));
        return name.map(found -> new Repair(found, expect, repaired, entry.at()));
    }

    private Scenario applied(Keys keys, String name) {
        Map<String, TransactionSpec> transactions = transactions(keys);
        if (problems.isEmpty()) {
            String suffix = " (in repair " + Field.quoted(name) + ")";
            transactions.values().forEach(transaction -> Variables.check(transaction, suffix, problems));
        }
        List<Run> runs = keys.find("run")
                .map(run -> new RunReader(transactions).run(run).map(List::of).orElse(List.of()))
                .orElse(base.runs());
        List<Invariant> invariants = keys.find("invariant")
                .map(value -> InvariantReader.invariant(value).map(List::of).orElse(List.of()))
                .orElse(base.invariants());
        Optional<Field> setup = keys.find("setup");
        Scenario repaired = new Scenario(
                base.file(),
                base.title(),
                setup.flatMap(Field::text).orElse(base.setup()),
                setup.map(Field::at).orElse(base.setupAt()),
                transactions,
                runs,
                invariants,
                base.faults(),
                base.scopeRows(),
                Optional.empty(),
                List.of());
        return keys.find("setup_append")
                .flatMap(Field::text)
                .map(repaired::withSetupAppended)
                .orElse(repaired);
    }

    private Map<String, TransactionSpec> transactions(Keys keys) {
        Map<String, TransactionSpec> repaired = new LinkedHashMap<>(base.transactions());
        perTransaction(keys, "steps")
                .forEach((name, list) -> change(repaired, name, old -> old.withSteps(StepReader.steps(list))));
        perTransaction(keys, "replace")
                .forEach((name, map) -> change(repaired, name, old -> old.withSteps(replaced(old, map))));
        perTransaction(keys, "prepend")
                .forEach((name, list) ->
                        change(repaired, name, old -> old.withSteps(joined(StepReader.steps(list), old.steps()))));
        perTransaction(keys, "append")
                .forEach((name, list) ->
                        change(repaired, name, old -> old.withSteps(joined(old.steps(), StepReader.steps(list)))));
        levels(keys).forEach((name, level) -> change(repaired, name, old -> old.withIsolation(level)));
        keys.find("retry")
                .flatMap(TransactionReader::retry)
                .ifPresent(retry -> repaired.replaceAll((name, old) -> old.withRetry(retry)));
        keys.find("atomic")
                .flatMap(Field::truth)
                .ifPresent(atomic -> repaired.replaceAll((name, old) -> old.withAtomic(atomic)));
        return repaired;
    }

    private static void change(
            Map<String, TransactionSpec> transactions, String name, UnaryOperator<TransactionSpec> change) {
        transactions.computeIfPresent(name, (ignored, old) -> change.apply(old));
    }

    private static List<Step> joined(List<Step> first, List<Step> second) {
        List<Step> joined = new ArrayList<>(first);
        joined.addAll(second);
        return joined;
    }

    private static List<Step> replaced(TransactionSpec transaction, Field map) {
        List<Step> steps = new ArrayList<>(transaction.steps());
        map.named().ifPresent(keys -> {
            for (String index : keys.names()) {
                Optional<Step> step = StepReader.step(keys.find(index).orElseThrow());
                if (index.matches("\\d{1,6}") && Integer.parseInt(index) < steps.size()) {
                    step.ifPresent(found -> steps.set(Integer.parseInt(index), found));
                } else {
                    keys.refuse(index, noIndex(transaction, index));
                }
            }
        });
        return steps;
    }

    private static String noIndex(TransactionSpec transaction, String index) {
        int last = transaction.steps().size() - 1;
        return "step index " + Field.quoted(index) + " must be 0 to " + last + ": " + transaction.name() + " has "
                + (last + 1) + (last == 0 ? " step" : " steps");
    }

    /** {@return the isolation of each transaction that the repair changes} */
    private Map<String, Isolation> levels(Keys keys) {
        Map<String, Isolation> levels = new LinkedHashMap<>();
        Optional<Field> field = keys.find("isolation");
        if (field.isPresent() && field.get().isMap()) {
            perTransaction(keys, "isolation")
                    .forEach((name, value) ->
                            TransactionReader.isolation(value).ifPresent(level -> levels.put(name, level)));
        } else {
            field.flatMap(TransactionReader::isolation)
                    .ifPresent(level -> base.transactions().keySet().forEach(name -> levels.put(name, level)));
        }
        return levels;
    }

    /** {@return a map transaction → value; every key must be a transaction of the file} */
    private Map<String, Field> perTransaction(Keys keys, String key) {
        Map<String, Field> values = new LinkedHashMap<>();
        keys.find(key).flatMap(Field::named).ifPresent(named -> {
            for (String name : named.names()) {
                if (!base.transactions().containsKey(name)) {
                    named.refuse(
                            name,
                            "unknown transaction " + Field.quoted(name)
                                    + Nearest.hint(name, base.transactions().keySet()));
                }
                values.put(name, named.find(name).orElseThrow());
            }
        });
        return values;
    }
}

package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.repair.Blueprint.NotBuildable;
import dev.cerrojo.explorer.scenario.Position;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.sql.SqlTemplate;
import dev.cerrojo.explorer.sql.SqlText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds steps, and changes the steps of transactions. */
final class Steps {
    private Steps() {}

    /** Changes one transaction. */
    @FunctionalInterface
    interface Change {
        TransactionSpec apply(TransactionSpec transaction) throws NotBuildable;
    }

    static Scenario change(Scenario scenario, Change change) throws NotBuildable {
        Map<String, TransactionSpec> changed = new LinkedHashMap<>();
        for (Map.Entry<String, TransactionSpec> entry : scenario.transactions().entrySet()) {
            changed.put(entry.getKey(), change.apply(entry.getValue()));
        }
        return scenario.withTransactions(changed);
    }

    /** Changes the transactions that can be changed so, at least one. */
    static Scenario changeSome(Scenario scenario, Change change) throws NotBuildable {
        Map<String, TransactionSpec> changed = new LinkedHashMap<>(scenario.transactions());
        List<String> reasons = new ArrayList<>();
        for (TransactionSpec transaction : scenario.transactions().values()) {
            try {
                changed.put(transaction.name(), change.apply(transaction));
            } catch (NotBuildable e) {
                reasons.add(String.valueOf(e.getMessage()));
            }
        }
        if (reasons.size() == scenario.transactions().size()) {
            throw new NotBuildable(String.join("; ", reasons));
        }
        return scenario.withTransactions(changed);
    }

    static Step.Write write(String candidate, String sql) {
        return new Step.Write(SqlTemplate.parse(sql), false, at(candidate));
    }

    static Step.Read read(String candidate, String sql) {
        return new Step.Read(SqlTemplate.parse(sql), false, at(candidate));
    }

    static Step.Check check(String candidate, String sql, String refusal) {
        return new Step.Check(SqlTemplate.parse(sql), Optional.of(refusal), false, at(candidate));
    }

    static Position at(String candidate) {
        return Position.generated("candidate " + candidate);
    }

    static TransactionSpec prepend(TransactionSpec transaction, List<? extends Step> first) {
        List<Step> steps = new ArrayList<>(first);
        steps.addAll(transaction.steps());
        return transaction.withSteps(steps);
    }

    static TransactionSpec append(TransactionSpec transaction, List<? extends Step> last) {
        List<Step> steps = new ArrayList<>(transaction.steps());
        steps.addAll(last);
        return transaction.withSteps(steps);
    }

    /** A guarded transaction is one transaction: no commit before its end. */
    static TransactionSpec inOneTransaction(TransactionSpec transaction) {
        return transaction
                .withAtomic(true)
                .withSteps(transaction.steps().stream()
                        .filter(step -> !(step instanceof Step.Commit))
                        .toList());
    }

    static boolean isOneTransaction(TransactionSpec transaction) {
        List<Step> steps = transaction.steps();
        return transaction.atomic()
                && steps.subList(0, steps.size() - 1).stream().noneMatch(Step.Commit.class::isInstance);
    }

    /** {@return how many statements a transaction sends} */
    static long statements(TransactionSpec transaction) {
        return transaction.steps().stream()
                .filter(step -> step instanceof Step.Statement statement && !isComputed(statement))
                .count();
    }

    static boolean isComputed(Step.Statement step) {
        return step instanceof Step.Check && SqlText.isOverVariablesOnly(step.sql());
    }

    /** {@return the index of the first statement that changes data; the number of steps when none does} */
    static int firstWrite(TransactionSpec transaction) {
        for (int i = 0; i < transaction.steps().size(); i++) {
            if (transaction.steps().get(i) instanceof Step.Statement statement && changesData(statement)) {
                return i;
            }
        }
        return transaction.steps().size();
    }

    static boolean changesData(Step.Statement step) {
        String word = SqlText.of(step.sql().text()).firstWord();
        return switch (word) {
            case "INSERT", "UPDATE", "DELETE", "MERGE", "COPY", "TRUNCATE" -> true;
            default -> false;
        };
    }
}

package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.GatedPass;
import dev.cerrojo.explorer.repair.RepairReport.Recommendation;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.guard.GuardOptions;
import dev.cerrojo.guard.NativeConstraint;
import dev.cerrojo.guard.TriggerGuard;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Scope;
import dev.cerrojo.invariant.SerializationPoint;
import dev.cerrojo.tx.Isolation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Ranks the candidates that hold. */
final class Recommender {
    private Recommender() {}

    static Optional<Recommendation> recommend(
            Scenario scenario,
            CheckResult base,
            List<CandidateResult> results,
            List<Invariant> invariants,
            Optional<Prices> prices) {
        if (base.verdict() == Verdict.HOLDS) {
            return Optional.empty();
        }
        List<CandidateResult> holding = results.stream()
                .filter(result -> result.candidate().kind() == Candidate.Kind.CANDIDATE)
                .filter(result -> result.cellFor(scenario).filter(Cell::holds).isPresent())
                .sorted(ranking(scenario))
                .toList();
        if (holding.isEmpty()) {
            return Optional.empty();
        }
        Choice choice = choice(holding, ranking(scenario), prices.map(PriceReasons::new));
        return Optional.of(
                recommendation(choice, choice.best().cellFor(scenario).orElseThrow(), scenario, invariants));
    }

    /** The one to take, and what prices said. */
    private record Choice(CandidateResult best, List<String> said) {}

    /** What is safer comes first whatever it costs; of those that are as safe, the first, unless another is clearly cheaper. */
    private static Choice choice(
            List<CandidateResult> holding, Comparator<CandidateResult> ranking, Optional<PriceReasons> prices) {
        CandidateResult first = holding.get(0);
        if (prices.isEmpty()) {
            return new Choice(first, List.of());
        }
        PriceReasons reasons = prices.orElseThrow();
        CandidateResult best = first;
        for (CandidateResult other : holding) {
            if (ranking.compare(other, first) == 0 && reasons.isClearlyCheaper(other, best)) {
                best = other;
            }
        }
        List<String> said = new ArrayList<>(reasons.of(best.candidate()));
        if (!said.isEmpty()) {
            said.add(compared(best, first, holding, reasons));
        }
        return new Choice(best, said);
    }

    private static String compared(
            CandidateResult best, CandidateResult first, List<CandidateResult> holding, PriceReasons reasons) {
        if (!best.equals(first)) {
            return "It is clearly cheaper than " + first.candidate().id() + " (" + reasons.ratio(first.candidate())
                    + "), which would come first without prices and is as safe.";
        }
        List<String> cheaper = holding.stream()
                .filter(other -> reasons.isClearlyCheaper(other, best))
                .map(other -> other.candidate().id() + " (" + reasons.ratio(other.candidate()) + ")")
                .toList();
        return cheaper.isEmpty()
                ? "No other candidate is clearly cheaper: by a tenth or more, with spreads that do not overlap."
                : "Clearly cheaper, but not as safe (deadlocks, waits across scopes, new errors, or levels at which it does"
                        + " not hold): " + String.join(", ", cheaper) + ".";
    }

    /**
     * A native constraint before all else: it cannot be bypassed. Then: no deadlock, no wait across scopes,
     * no new error, right at more levels; then the order of the catalogue.
     */
    private static Comparator<CandidateResult> ranking(Scenario scenario) {
        return Comparator.comparing(
                        (CandidateResult result) -> !result.candidate().id().equals("native-constraint"))
                .thenComparing(result ->
                        result.cellFor(scenario).orElseThrow().result().deadlocking() > 0)
                .thenComparing(result -> result.blocksOtherScopes().orElse(false))
                .thenComparing(result ->
                        result.cellFor(scenario).orElseThrow().newSqlStates().size())
                .thenComparing(result -> -held(result));
    }

    private static long held(CandidateResult result) {
        return result.cells().stream().filter(Cell::holds).count();
    }

    private static Recommendation recommendation(
            Choice choice, Cell cell, Scenario scenario, List<Invariant> invariants) {
        CandidateResult best = choice.best();
        List<String> reasons = new ArrayList<>();
        reasons.add("It holds at "
                + best.cells().stream()
                        .filter(Cell::holds)
                        .map(held -> held.isolation().toUpperCase(Locale.ROOT))
                        .collect(Collectors.joining(", "))
                + ": " + cell.result().schedules()
                + " schedules explored at the file's level, none violates the invariant.");
        reasons.add(
                cell.newSqlStates().isEmpty()
                        ? "Callers see no new error: the second of two gets the answer it would get if it came later."
                        : "Callers see new errors: " + String.join(", ", cell.newSqlStates()) + ".");
        reasons.add(
                cell.result().deadlocking() == 0
                        ? "No schedule deadlocks."
                        : cell.result().deadlocking() + " schedules deadlock; PostgreSQL ends these with 40P01.");
        best.blocksOtherScopes()
                .ifPresent(blocks -> reasons.add(
                        blocks
                                ? "Transactions of different scopes wait for each other."
                                : "Transactions of different scopes never wait for each other."));
        best.extraStatements()
                .ifPresent(extra -> reasons.add(
                        "It adds " + extra + (extra == 1 ? " statement" : " statements") + " to a transaction."));
        reasons.addAll(choice.said());
        return new Recommendation(best.candidate(), reasons, how(best, cell, scenario, invariants), risks(best, cell));
    }

    private static String how(CandidateResult best, Cell cell, Scenario scenario, List<Invariant> invariants) {
        return (joined(scenario, cell.result().scenario()) + change(best, scenario, invariants)).strip();
    }

    /** What commits in its middle was tried without these commits: the rest would not hold with them. */
    private static String joined(Scenario before, Scenario tried) {
        String names = before.transactions().values().stream()
                .filter(transaction -> !Steps.isOneTransaction(transaction))
                .map(TransactionSpec::name)
                .filter(name -> Optional.ofNullable(tried.transactions().get(name))
                        .filter(Steps::isOneTransaction)
                        .isPresent())
                .collect(Collectors.joining(", "));
        return names.isEmpty()
                ? ""
                : "-- one transaction: BEGIN before the first statement of " + names
                        + ",\n-- one COMMIT after its last, and no other COMMIT\n";
    }

    private static String change(CandidateResult best, Scenario scenario, List<Invariant> invariants) {
        StringBuilder how = new StringBuilder();
        switch (best.candidate().id()) {
            case "touch" ->
                invariants.forEach(invariant -> takenFirst(how, SerializationPoint.touch(invariant), scenario));
            case "advisory-lock" ->
                invariants.forEach(invariant -> takenFirst(how, SerializationPoint.advisory(invariant), scenario));
            case "lock-scope-row" ->
                invariants.forEach(invariant -> takenFirst(
                        how,
                        SerializationPoint.lockScopeRow(invariant, SerializationPoint.RowLock.FOR_NO_KEY_UPDATE),
                        scenario));
            case "lock-scope-row-for-update" ->
                invariants.forEach(invariant -> takenFirst(
                        how,
                        SerializationPoint.lockScopeRow(invariant, SerializationPoint.RowLock.FOR_UPDATE),
                        scenario));
            case "native-constraint" ->
                invariants.forEach(invariant -> how.append(
                        NativeConstraint.of(invariant, GuardOptions.defaults()).installSql()));
            case "trigger-guard" ->
                invariants.forEach(invariant -> how.append(
                        TriggerGuard.of(invariant, GuardOptions.defaults()).installSql()));
            default -> how.append(best.candidate().idea());
        }
        return how.toString();
    }

    private static void takenFirst(StringBuilder how, SerializationPoint point, Scenario scenario) {
        if (!point.setupStatements().isEmpty() && how.isEmpty()) {
            how.append("-- once, in a migration\n");
            point.setupStatements().forEach(statement -> how.append(statement).append(";\n"));
        }
        how.append("-- first in ")
                .append(scenario.transactions().values().stream()
                        .map(TransactionSpec::name)
                        .collect(Collectors.joining(", ")))
                .append(", before anything is read\n");
        String scope = point.invariant().scope() instanceof Scope.Global
                ? "NULL"
                : scenario.transactions().values().stream()
                        .flatMap(transaction -> transaction.scope().stream())
                        .findFirst()
                        .map(parameter -> ":" + parameter)
                        .orElse(":scope");
        how.append(point.sql(scope)).append(";\n");
    }

    private static Optional<String> levels(CandidateResult best, Predicate<Cell> which) {
        return Optional.of(best.cells().stream()
                        .filter(which)
                        .map(cell -> cell.isolation().toUpperCase(Locale.ROOT))
                        .collect(Collectors.joining(", ")))
                .filter(levels -> !levels.isEmpty());
    }

    private static List<String> risks(CandidateResult best, Cell cell) {
        List<String> risks = new ArrayList<>();
        boolean inDatabase = best.candidate().id().equals("native-constraint")
                || best.candidate().id().equals("trigger-guard");
        if (inDatabase) {
            risks.add("A superuser can still disable it, and session_replication_role = replica passes triggers by.");
        } else {
            risks.add(
                    "Only the transactions of this file were tried: another code path, or raw SQL, that does not do the"
                            + " same can still break the invariant. The trigger guard is what nothing bypasses.");
        }
        levels(best, other -> other.verdict() == Verdict.VIOLATED)
                .ifPresent(levels -> risks.add("It does not hold at " + levels
                        + ": a change of the isolation level breaks it without an error."));
        levels(best, other -> !other.holds() && other.verdict() != Verdict.VIOLATED)
                .ifPresent(levels -> risks.add("It was not shown to hold at " + levels + "."));
        if (cell.newSqlStates().contains("40001") || cell.newSqlStates().contains("40P01")) {
            risks.add("Callers must retry on 40001 and 40P01, the whole transaction from its start.");
        }
        if (best.cells().stream()
                        .anyMatch(other -> other.isolation().equals(Isolation.REPEATABLE_READ.sql())
                                && other.holds()
                                && other.newSqlStates().contains("40001"))
                && !cell.newSqlStates().contains("40001")) {
            risks.add("At REPEATABLE READ the second of two fails with 40001 and must be retried.");
        }
        boolean inside = cell.inside().filter(GatedPass::isComplete).isPresent();
        risks.add((inside ? "A plain SELECT" : "What happens inside one statement")
                + " was atomic here, and rows and sessions were as few as in the file.");
        return risks;
    }
}

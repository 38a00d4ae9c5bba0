package dev.cerrojo.explorer.scenario;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.tx.Isolation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A scenario file, read and checked.
 *
 * @param file how the file was named, for messages
 * @param title its title; the file's name when it has none
 * @param setup the SQL that every run starts from; may be empty
 * @param setupAt where the setup stands
 * @param transactions name → transaction, in the file's order
 * @param runs what runs at once; each is explored
 * @param invariants what must hold at the end, in the file's order; without any, schedules are judged by serial equivalence
 * @param faults what may befall the clients
 * @param scopeRows the SQL that creates the rows of one more scope, with {@code :scope}, if declared
 * @param expect what a check must find, if declared
 * @param repairs candidates of the user's own, in the file's order
 */
public record Scenario(
        String file,
        String title,
        String setup,
        Position setupAt,
        Map<String, TransactionSpec> transactions,
        List<Run> runs,
        List<Invariant> invariants,
        Faults faults,
        Optional<String> scopeRows,
        Optional<Expectation> expect,
        List<Repair> repairs) {
    /** Copies the collections, keeping their order. */
    public Scenario {
        transactions = Collections.unmodifiableMap(new LinkedHashMap<>(transactions));
        runs = List.copyOf(runs);
        invariants = List.copyOf(invariants);
        repairs = List.copyOf(repairs);
    }

    /** {@return this scenario with other transactions} */
    public Scenario withTransactions(Map<String, TransactionSpec> other) {
        return new Scenario(file, title, setup, setupAt, other, runs, invariants, faults, scopeRows, expect, repairs);
    }

    /** {@return this scenario with every transaction at one isolation level} */
    public Scenario withIsolation(Isolation level) {
        Map<String, TransactionSpec> leveled = new LinkedHashMap<>();
        transactions.forEach((name, spec) -> leveled.put(name, spec.withIsolation(level)));
        return withTransactions(leveled);
    }

    /** {@return this scenario with other runs} */
    public Scenario withRuns(List<Run> other) {
        return new Scenario(
                file, title, setup, setupAt, transactions, other, invariants, faults, scopeRows, expect, repairs);
    }

    /** {@return this scenario with other repairs} */
    public Scenario withRepairs(List<Repair> other) {
        return new Scenario(
                file, title, setup, setupAt, transactions, runs, invariants, faults, scopeRows, expect, other);
    }

    /**
     * Tells what {@link #withSetupAppended} has added.
     *
     * @param before the scenario to which it was added
     * @return the SQL; empty text when nothing was
     */
    public String setupAddedTo(Scenario before) {
        return setup.equals(before.setup())
                ? ""
                : setup.substring(before.setup().length() + 1);
    }

    /** {@return this scenario with more SQL after its setup} */
    public Scenario withSetupAppended(String sql) {
        return new Scenario(
                file,
                title,
                setup + "\n" + sql,
                setupAt,
                transactions,
                runs,
                invariants,
                faults,
                scopeRows,
                expect,
                repairs);
    }

    /** {@return this scenario with other faults} */
    public Scenario withFaults(Faults other) {
        return new Scenario(
                file, title, setup, setupAt, transactions, runs, invariants, other, scopeRows, expect, repairs);
    }
}

package dev.cerrojo.explorer.scenario;

import dev.cerrojo.tx.Isolation;
import java.util.List;
import java.util.Optional;

/**
 * One transaction of a scenario, with the file's defaults already filled in.
 *
 * @param name its key in the file
 * @param params its parameters, in order
 * @param scope the parameter that is the scope of the invariant, if declared
 * @param isolation its isolation level
 * @param retry how often the session's entry is run again after 40001 or 40P01; 0 is never
 * @param atomic false when every step commits by itself
 * @param steps its steps, at least one
 */
public record TransactionSpec(
        String name,
        List<String> params,
        Optional<String> scope,
        Isolation isolation,
        int retry,
        boolean atomic,
        List<Step> steps,
        Position at) {
    /** Copies the lists. */
    public TransactionSpec {
        params = List.copyOf(params);
        steps = List.copyOf(steps);
    }

    /** {@return this transaction with other steps} */
    public TransactionSpec withSteps(List<Step> other) {
        return new TransactionSpec(name, params, scope, isolation, retry, atomic, other, at);
    }

    /** {@return this transaction at another isolation level} */
    public TransactionSpec withIsolation(Isolation other) {
        return new TransactionSpec(name, params, scope, other, retry, atomic, steps, at);
    }

    /** {@return this transaction with another bound on retries} */
    public TransactionSpec withRetry(int other) {
        return new TransactionSpec(name, params, scope, isolation, other, atomic, steps, at);
    }

    /** {@return this transaction with every step in one transaction, or each by itself} */
    public TransactionSpec withAtomic(boolean other) {
        return new TransactionSpec(name, params, scope, isolation, retry, other, steps, at);
    }
}

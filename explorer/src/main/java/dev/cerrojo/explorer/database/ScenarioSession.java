package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.scenario.Call;
import dev.cerrojo.explorer.scenario.Session;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.schedule.Fault;
import dev.cerrojo.explorer.schedule.Gate;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.SessionProgram;
import dev.cerrojo.explorer.schedule.StepInfo;
import dev.cerrojo.explorer.schedule.StepResult;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** A session of a scenario: an interpreter of its transactions' steps, every one of them behind the gate. */
final class ScenarioSession implements SessionProgram {
    /** Runs a session to its end. */
    private static final int TO_THE_END = Integer.MAX_VALUE;

    private final int number;
    private final Session session;
    private final List<CompiledTransaction> transactions;
    private final Connections connections;
    private final Calculator calculator;
    private final boolean deferredChecks;
    private final boolean clientRetries;
    private CommittedWork work;

    /** What befell the session in the last step. */
    private Optional<Fault> fault = Optional.empty();

    /** Behind which of its COMMITs the present attempt ends. */
    private int lastUnit = TO_THE_END;

    /** How often the present run began again. */
    private int retries;

    /** How many steps the transactions before the present one have, their last COMMITs counted. */
    private int stepsBefore;

    /** The connections of one session. */
    interface Connections {
        SessionConnection main();

        /** The connection of foreign effects, made when it is first needed. */
        SessionConnection autonomous();

        /** Breaks one of them off and waits until PostgreSQL has ended its backend; the next one is made anew. */
        void breakOff(SessionConnection connection);

        /** Breaks both off. */
        void breakAllOff();
    }

    ScenarioSession(
            int number,
            Session session,
            List<CompiledTransaction> transactions,
            Connections connections,
            Calculator calculator,
            boolean deferredChecks,
            boolean clientRetries) {
        this.number = number;
        this.session = session;
        this.transactions = transactions;
        this.connections = connections;
        this.calculator = calculator;
        this.deferredChecks = deferredChecks;
        this.clientRetries = clientRetries;
        this.work = new CommittedWork(number, units());
    }

    /** {@return how often the last run began again after 40001 or 40P01; asked when it has ended} */
    int retries() {
        return retries;
    }

    private int units() {
        return transactions.stream()
                .mapToInt(transaction -> transaction.spec().steps().size() + 1)
                .sum();
    }

    /** {@return what the last run committed; asked when it has ended} */
    CommittedWork work() {
        return work;
    }

    /** Ends the session before its last step. */
    private static final class EndOfSession extends Exception {
        private static final long serialVersionUID = 1L;

        final transient Outcome outcome;
        final boolean retryable;
        final int retries;

        EndOfSession(Outcome outcome, boolean retryable, int retries) {
            super(null, null, false, false);
            this.outcome = outcome;
            this.retryable = retryable;
            this.retries = retries;
        }
    }

    @Override
    public Outcome run(Gate gate) {
        work = new CommittedWork(number, units());
        lastUnit = TO_THE_END;
        retries = 0;
        while (true) {
            fault = Optional.empty();
            Outcome outcome = runWithRetries(gate);
            if (fault.isEmpty() || !clientRetries) {
                return outcome;
            }
            work.nextAttempt();
            gate.note("the client runs it again from its beginning");
        }
    }

    private Outcome runWithRetries(Gate gate) {
        for (int attempt = 0; ; attempt++) {
            try {
                runTransactions(gate);
                return new Outcome.Committed();
            } catch (EndOfSession end) {
                if (!end.retryable || attempt >= end.retries) {
                    return end.outcome;
                }
                work.nextAttempt();
                retries++;
                gate.note("retry " + (attempt + 1) + " of " + end.retries);
            }
        }
    }

    /**
     * Runs of the session only what it committed in another run, with nobody else at work.
     *
     * @param units what that run says of it
     * @return what it ended with; committed also when it ended behind the last of the units
     */
    Outcome runAlone(Gate gate, List<Integer> units) {
        work = new CommittedWork(number, units());
        for (int last : CommittedWork.lastOfAttempts(units, units())) {
            lastUnit = last;
            try {
                runTransactions(gate);
            } catch (EndOfSession end) {
                if (!(end.outcome instanceof Outcome.Committed)) {
                    return end.outcome;
                }
            }
            work.nextAttempt();
        }
        return new Outcome.Committed();
    }

    private void runTransactions(Gate gate) throws EndOfSession {
        stepsBefore = 0;
        for (int i = 0; i < transactions.size(); i++) {
            run(gate, session.calls().get(i), transactions.get(i));
            stepsBefore += transactions.get(i).spec().steps().size() + 1;
        }
    }

    private void run(Gate gate, Call call, CompiledTransaction transaction) throws EndOfSession {
        TransactionSpec spec = transaction.spec();
        Map<String, Datum> variables = new HashMap<>();
        call.arguments().forEach((name, value) -> variables.put(name, Datum.of(value)));
        for (int i = 0; i < spec.steps().size(); i++) {
            Step step = spec.steps().get(i);
            if (step instanceof Step.Commit) {
                commit(gate, spec, stepsBefore + i);
            } else if (transaction.computed().get(i)) {
                compute(
                        gate,
                        spec,
                        (Step.Check) step,
                        transaction.statements().get(i).orElseThrow(),
                        variables);
            } else {
                execute(
                        gate,
                        spec,
                        (Step.Statement) step,
                        stepsBefore + i,
                        transaction.statements().get(i).orElseThrow(),
                        variables);
            }
        }
        commit(gate, spec, stepsBefore + spec.steps().size());
    }

    private void execute(
            Gate gate,
            TransactionSpec spec,
            Step.Statement step,
            int position,
            CompiledStatement statement,
            Map<String, Datum> variables)
            throws EndOfSession {
        SessionConnection connection = step.autonomous() ? connections.autonomous() : connections.main();
        isolate(connection, spec);
        StepInfo info = new StepInfo(
                StepInfo.Kind.STATEMENT,
                statement.sql().text().strip(),
                statement.bound(variables),
                spec.isolation(),
                connection.mayTakeSnapshot());
        Told told = work.told(position, step);
        StepResult result = step(
                gate,
                info,
                connection,
                timer -> connection.execute(statement, step instanceof Step.Write, variables, timer, told));
        endIfFailed(gate, spec, result);
        if (step.autonomous()) {
            end(gate, connection, spec, () -> work.committed(position, List.of(told)));
            endBehind(position, gate, spec);
        } else {
            work.add(told);
        }
        if (!step.autonomous() && !spec.atomic()) {
            commit(gate, spec, position);
        }
        if (step instanceof Step.Check check && !isTrue(result)) {
            refuse(gate, spec, check);
        }
    }

    private void isolate(SessionConnection connection, TransactionSpec spec) {
        if (!connection.isOpen()) {
            try {
                connection.isolate(spec.isolation());
            } catch (SQLException e) {
                throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
            }
        }
    }

    static boolean isTrue(StepResult result) {
        String value = result.values().values().stream().findFirst().orElse(null);
        return "t".equals(value) || "true".equals(value);
    }

    /** A check over variables only is what the application would compute: it is no step. */
    private void compute(
            Gate gate,
            TransactionSpec spec,
            Step.Check check,
            CompiledStatement statement,
            Map<String, Datum> variables)
            throws EndOfSession {
        Calculator.Answer answer = calculator.isTrue(statement, variables);
        String expression = statement.sql().text().strip();
        String bound = statement.bound(variables);
        if (answer.failure().isPresent()) {
            StepResult.Failure failure = answer.failure().orElseThrow();
            gate.note("check " + expression + "  [" + bound + "] fails: " + failure.message());
            endIfFailed(gate, spec, StepResult.failed(failure));
        }
        gate.note("check " + expression + "  [" + bound + "] is " + (answer.isTrue() ? "true" : "not true"));
        if (!answer.isTrue()) {
            refuse(gate, spec, check);
        }
    }

    private void refuse(Gate gate, TransactionSpec spec, Step.Check check) throws EndOfSession {
        rollback(gate, spec);
        endIfBefallen();
        throw new EndOfSession(new Outcome.Refused(check.refusalName()), false, 0);
    }

    private void rollback(Gate gate, TransactionSpec spec) {
        work.undone();
        if (isCrashed()) {
            return;
        }
        SessionConnection main = connections.main();
        if (main.isOpen()) {
            step(gate, StepInfo.rollback(spec.isolation()), main, timer -> main.rollback());
        }
    }

    private boolean isCrashed() {
        return fault.equals(Optional.of(Fault.CRASH));
    }

    private StepResult step(Gate gate, StepInfo info, SessionConnection connection, Gate.Action action) {
        return gate.step(info, connection.backend(), new Gate.Action() {
            @Override
            public StepResult run(OptionalInt timer) {
                return action.run(timer);
            }

            @Override
            public StepResult befall(Fault what, OptionalInt timer) {
                fault = Optional.of(what);
                if (what == Fault.CRASH) {
                    connections.breakAllOff();
                    return lost("the client is gone");
                }
                action.run(timer);
                connections.breakOff(connection);
                return lost("the connection broke before an answer came");
            }
        });
    }

    /** Class 08 of SQLSTATEs is that of broken connections. */
    private static StepResult lost(String message) {
        return StepResult.failed(new StepResult.Failure("08006", message, ""));
    }

    /** Commits the session's transaction, if one is open. */
    private void commit(Gate gate, TransactionSpec spec, int unit) throws EndOfSession {
        if (connections.main().isOpen()) {
            end(gate, connections.main(), spec, () -> work.committed(unit));
            endBehind(unit, gate, spec);
        }
    }

    private void endBehind(int unit, Gate gate, TransactionSpec spec) throws EndOfSession {
        if (unit == lastUnit) {
            rollback(gate, spec);
            throw new EndOfSession(new Outcome.Committed(), false, 0);
        }
    }

    /**
     * Commits.
     *
     * @param committed is told when it is done, also when nobody answers
     */
    private void end(Gate gate, SessionConnection connection, TransactionSpec spec, Runnable committed)
            throws EndOfSession {
        if (deferredChecks) {
            endIfFailed(
                    gate,
                    spec,
                    step(gate, StepInfo.deferredChecks(spec.isolation()), connection, connection::deferredChecks));
        }
        endIfFailed(
                gate,
                spec,
                step(gate, StepInfo.commit(spec.isolation()), connection, timer -> commit(connection, committed)));
    }

    private static StepResult commit(SessionConnection connection, Runnable committed) {
        StepResult result = connection.commit();
        if (result.error().isEmpty()) {
            committed.run();
        }
        return result;
    }

    private void endIfFailed(Gate gate, TransactionSpec spec, StepResult result) throws EndOfSession {
        if (result.error().isPresent()) {
            StepResult.Failure failure = result.error().orElseThrow();
            // after an error on its own connection nothing is open; after one on the autonomous one the rest is undone
            rollback(gate, spec);
            endIfBefallen();
            throw new EndOfSession(
                    new Outcome.Failed(failure.sqlState(), failure.message()), failure.isRetryable(), spec.retry());
        }
    }

    private void endIfBefallen() throws EndOfSession {
        if (fault.isPresent()) {
            throw new EndOfSession(isCrashed() ? new Outcome.Crashed() : new Outcome.Unknown(), false, 0);
        }
    }
}

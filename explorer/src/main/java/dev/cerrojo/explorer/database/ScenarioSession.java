package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.scenario.Call;
import dev.cerrojo.explorer.scenario.Session;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.schedule.Gate;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.SessionProgram;
import dev.cerrojo.explorer.schedule.StepInfo;
import dev.cerrojo.explorer.schedule.StepResult;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A session of a scenario: an interpreter of its transactions' steps, every one of them behind the gate. */
final class ScenarioSession implements SessionProgram {
    private final Session session;
    private final List<CompiledTransaction> transactions;
    private final Connections connections;
    private final Calculator calculator;
    private final boolean deferredChecks;

    /** The connections of one session. */
    interface Connections {
        SessionConnection main();

        /** The connection of foreign effects, made when it is first needed. */
        SessionConnection autonomous();
    }

    ScenarioSession(
            Session session,
            List<CompiledTransaction> transactions,
            Connections connections,
            Calculator calculator,
            boolean deferredChecks) {
        this.session = session;
        this.transactions = transactions;
        this.connections = connections;
        this.calculator = calculator;
        this.deferredChecks = deferredChecks;
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
        for (int attempt = 0; ; attempt++) {
            try {
                for (int i = 0; i < transactions.size(); i++) {
                    run(gate, session.calls().get(i), transactions.get(i));
                }
                return new Outcome.Committed();
            } catch (EndOfSession end) {
                if (!end.retryable || attempt >= end.retries) {
                    return end.outcome;
                }
                gate.note("retry " + (attempt + 1) + " of " + end.retries);
            }
        }
    }

    private void run(Gate gate, Call call, CompiledTransaction transaction) throws EndOfSession {
        TransactionSpec spec = transaction.spec();
        Map<String, Datum> variables = new HashMap<>();
        call.arguments().forEach((name, value) -> variables.put(name, Datum.of(value)));
        SessionConnection main = connections.main();
        for (int i = 0; i < spec.steps().size(); i++) {
            Step step = spec.steps().get(i);
            if (step instanceof Step.Commit) {
                commit(gate, main, spec);
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
                        transaction.statements().get(i).orElseThrow(),
                        variables);
            }
        }
        commit(gate, main, spec);
    }

    private void execute(
            Gate gate,
            TransactionSpec spec,
            Step.Statement step,
            CompiledStatement statement,
            Map<String, Datum> variables)
            throws EndOfSession {
        SessionConnection connection = step.autonomous() ? connections.autonomous() : connections.main();
        isolate(connection, spec);
        StepInfo info =
                new StepInfo(
                StepInfo.Kind.STATEMENT,
                statement.sql().text().strip(),
                statement.bound(variables),
                spec.isolation(),
                connection.mayTakeSnapshot());
        StepResult result = gate.step(
                info,
                connection.backend(),
                timer -> connection.execute(statement, step instanceof Step.Write, variables, timer));
        endIfFailed(gate, spec, result);
        if (step.autonomous() || !spec.atomic()) {
            commit(gate, connection, spec);
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

    private static boolean isTrue(StepResult result) {
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
        throw new EndOfSession(new Outcome.Refused(check.refusalName()), false, 0);
    }

    private void rollback(Gate gate, TransactionSpec spec) {
        SessionConnection main = connections.main();
        if (main.isOpen()) {
            gate.step(StepInfo.rollback(spec.isolation()), main.backend(), timer -> main.rollback());
        }
    }

    private void commit(Gate gate, SessionConnection connection, TransactionSpec spec) throws EndOfSession {
        if (!connection.isOpen()) {
            return;
        }
        if (deferredChecks) {
            endIfFailed(
                    gate, spec, gate.step(StepInfo.deferredChecks(spec.isolation()), connection.backend(), connection::deferredChecks));
        }
        endIfFailed(gate, spec, gate.step(StepInfo.commit(spec.isolation()), connection.backend(), timer -> connection.commit()));
    }

    private void endIfFailed(Gate gate, TransactionSpec spec, StepResult result) throws EndOfSession {
        if (result.error().isPresent()) {
            StepResult.Failure failure = result.error().orElseThrow();
            // after an error on its own connection nothing is open; after one on the autonomous one the rest is undone
            rollback(gate, spec);
            throw new EndOfSession(
                    new Outcome.Failed(failure.sqlState(), failure.message()), failure.isRetryable(), spec.retry());
        }
    }
}

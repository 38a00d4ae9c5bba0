package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.schedule.StepResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** The steps of a scenario's transaction, run on connections that somebody else opens and ends. For any number of threads. */
public final class FreeTransaction {
    private final CompiledTransaction compiled;
    private final Calculator calculator;

    FreeTransaction(CompiledTransaction compiled, Calculator calculator) {
        this.compiled = compiled;
        this.calculator = calculator;
    }

    /**
     * Runs one step that has SQL, and binds what it returns.
     *
     * @param index the step's place in the transaction, from 0
     * @param connection where
     * @param variables name → value; changed
     * @return the name that a check which is not true refuses with; empty when the transaction goes on
     * @throws SQLException if PostgreSQL refuses it
     */
    public Optional<String> run(int index, Connection connection, Map<String, Datum> variables) throws SQLException {
        Step step = compiled.spec().steps().get(index);
        CompiledStatement statement = compiled.statements().get(index).orElseThrow();
        boolean passes = compiled.computed().get(index)
                ? computed(statement, variables)
                : ScenarioSession.isTrue(execute(statement, step instanceof Step.Write, connection, variables));
        return step instanceof Step.Check check && !passes ? Optional.of(check.refusalName()) : Optional.empty();
    }

    private static StepResult execute(
            CompiledStatement statement, boolean bindsRowCount, Connection connection, Map<String, Datum> variables)
            throws SQLException {
        try (PreparedStatement call =
                connection.prepareStatement(statement.sql().jdbc())) {
            statement.bind(call, variables);
            return call.execute()
                    ? SessionConnection.rows(call.getResultSet(), statement, bindsRowCount, variables, null)
                    : SessionConnection.updated(call.getUpdateCount(), variables, null);
        }
    }

    private boolean computed(CompiledStatement statement, Map<String, Datum> variables) throws SQLException {
        Calculator.Answer answer = calculator.isTrue(statement, variables);
        if (answer.failure().isPresent()) {
            StepResult.Failure failure = answer.failure().orElseThrow();
            throw new SQLException(failure.message(), failure.sqlState());
        }
        return answer.isTrue();
    }
}

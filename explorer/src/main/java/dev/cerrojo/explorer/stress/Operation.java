package dev.cerrojo.explorer.stress;

import dev.cerrojo.explorer.database.Datum;
import dev.cerrojo.explorer.stress.Tally.End;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.tx.RetriesExhaustedException;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionFailedException;
import dev.cerrojo.tx.TransactionOptions;
import dev.cerrojo.tx.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One operation, run as an application would run it: each of its units is work of {@link Transactions}.
 *
 * @param number from 0
 * @param party its place in its group
 * @param invariants whose guards in the database may refuse it
 */
record Operation(int number, int party, List<Unit> units, List<Invariant> invariants) {
    private static final String LEDGER = "INSERT INTO " + Together.SCHEMA + ".ledger VALUES (?)";

    /** Runs it to its end, with what befalls its group, if anything does. */
    void run(OneConnection connection, Optional<Together> together, Tally tally) {
        together.ifPresent(group -> group.joins(party, connection.backend()));
        try {
            runUnits(connection, together, tally);
            tally.ended(number, End.COMMITTED);
        } catch (Refused refused) {
            tally.ended(number, End.REFUSED);
        } catch (RetriesExhaustedException exhausted) {
            tally.ended(number, End.EXHAUSTED);
        } catch (TransactionFailedException failed) {
            ended(failed, tally);
        } finally {
            together.ifPresent(group -> group.ends(party));
        }
    }

    private void ended(TransactionFailedException failed, Tally tally) {
        if (invariants.stream().anyMatch(invariant -> invariant.refused(failed))) {
            tally.ended(number, End.REFUSED);
        } else {
            tally.failed(number, failed.sqlState().orElse("none"));
        }
    }

    private void runUnits(OneConnection connection, Optional<Together> together, Tally tally) throws Refused {
        Map<String, Datum> variables = Map.of();
        for (int i = 0; i < units.size(); i++) {
            Unit unit = units.get(i);
            Map<String, Datum> before = variables;
            Attempt attempt = new Attempt(unit, i == 0, i == units.size() - 1, together, tally);
            variables = Transactions.over(connection, options(unit))
                    .<Map<String, Datum>, Refused>call(transaction -> counted(attempt, transaction, before));
        }
    }

    private static TransactionOptions options(Unit unit) {
        return TransactionOptions.builder()
                .isolation(unit.spec().isolation())
                .maxAttempts(Stress.MAX_ATTEMPTS)
                .backoff(Stress.BACKOFF_BASE, Stress.BACKOFF_CAP)
                .build();
    }

    private Map<String, Datum> counted(Attempt attempt, Transaction transaction, Map<String, Datum> before)
            throws SQLException, Refused {
        attempt.tally().attempt(number, transaction.attempt());
        try {
            return attempted(attempt, transaction, before);
        } catch (SQLException error) {
            attempt.tally().error(error);
            throw error;
        }
    }

    /** What an attempt at a unit needs to know. */
    private record Attempt(Unit unit, boolean first, boolean last, Optional<Together> together, Tally tally) {}

    private Map<String, Datum> attempted(Attempt attempt, Transaction transaction, Map<String, Datum> before)
            throws SQLException, Refused {
        Connection connection = transaction.connection();
        if (attempt.first() && attempt.together().isPresent()) {
            attempt.together().orElseThrow().begins(party, transaction.attempt(), connection);
        }
        Map<String, Datum> variables = attempt.unit().variables(before);
        runSteps(attempt, connection, variables);
        if (attempt.last()) {
            finish(attempt, transaction);
        }
        return variables;
    }

    private void runSteps(Attempt attempt, Connection connection, Map<String, Datum> variables)
            throws SQLException, Refused {
        Unit unit = attempt.unit();
        int firstWrite = unit.firstWrite();
        for (int step = unit.from(); step < unit.to(); step++) {
            if (step == firstWrite && attempt.together().isPresent()) {
                attempt.together().orElseThrow().beforeWriting(party);
            }
            Optional<String> refusal = unit.run(step, connection, variables);
            if (refusal.isPresent()) {
                throw new Refused(refusal.orElseThrow());
            }
        }
    }

    private void finish(Attempt attempt, Transaction transaction) throws SQLException {
        try (PreparedStatement ledger = transaction.connection().prepareStatement(LEDGER)) {
            ledger.setInt(1, number);
            ledger.executeUpdate();
        }
        attempt.tally().effectInside(number);
        transaction.afterCommit(() -> attempt.tally().effectAfterCommit(number));
        if (attempt.together().isPresent()) {
            attempt.together().orElseThrow().beforeCommit(party, transaction.attempt(), transaction.connection());
        }
    }
}

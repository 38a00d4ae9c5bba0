package dev.cerrojo.storm;

import dev.cerrojo.invariant.GuardedScope;
import dev.cerrojo.invariant.GuardedTransactions;
import dev.cerrojo.invariant.InvariantViolatedException;
import dev.cerrojo.invariant.SerializationPoint;
import dev.cerrojo.storm.Tally.Outcome;
import dev.cerrojo.tx.DeadlineExceededException;
import dev.cerrojo.tx.Isolation;
import dev.cerrojo.tx.OutcomeUnknownException;
import dev.cerrojo.tx.RetriesExhaustedException;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionFailedException;
import dev.cerrojo.tx.TransactionOptions;
import dev.cerrojo.tx.Transactions;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/** One of many who do random operations, by guarded transactions and by raw SQL, at all isolation levels. */
final class Client implements Runnable {
    private static final SerializationPoint ADMINISTRATORS = SerializationPoint.touch(Backoffice.ADMINISTRATORS);
    private static final SerializationPoint OPERATORS = SerializationPoint.touch(Backoffice.OPERATORS);

    private final List<Transactions> levels;
    private final Random random;
    private final Tally tally;
    private final AtomicBoolean over;
    private final boolean guarded;

    Client(DataSource pool, int seed, Tally tally, AtomicBoolean over, boolean guarded) {
        this.levels = List.of(Isolation.values()).stream()
                .map(level -> Transactions.over(pool, options(level)))
                .toList();
        this.random = new Random(seed);
        this.tally = tally;
        this.over = over;
        this.guarded = guarded;
    }

    private static TransactionOptions options(Isolation level) {
        return TransactionOptions.builder()
                .isolation(level)
                .deadline(Duration.ofSeconds(10))
                .build();
    }

    @Override
    public void run() {
        while (!over.get()) {
            UUID id = new UUID(random.nextLong(), random.nextLong());
            tally.ended(outcome(id, Operation.random(random, !guarded || random.nextBoolean())), id);
        }
    }

    private Outcome outcome(UUID id, Operation operation) {
        try {
            run(id, operation);
            return Outcome.COMMITTED;
        } catch (InvariantViolatedException refused) {
            return Outcome.REFUSED;
        } catch (OutcomeUnknownException unknown) {
            return Outcome.UNKNOWN;
        } catch (RetriesExhaustedException | DeadlineExceededException spent) {
            return Outcome.EXHAUSTED;
        } catch (TransactionFailedException failed) {
            return outcome(failed);
        }
    }

    private static Outcome outcome(TransactionFailedException failed) {
        if (Backoffice.INVARIANTS.stream().anyMatch(invariant -> invariant.refused(failed))) {
            return Outcome.REFUSED;
        }
        // Connection lost, server going down or starting, no connection from the pool in time.
        if (failed.sqlState()
                .filter(state -> !state.startsWith("08") && !state.startsWith("57P"))
                .isPresent()) {
            throw failed;
        }
        return Outcome.LOST;
    }

    private void run(UUID id, Operation operation) {
        Transactions transactions = levels.get(guarded ? random.nextInt(levels.size()) : 0);
        if (guarded && random.nextBoolean()) {
            GuardedTransactions.over(transactions).run(scopes(operation), tx -> work(tx, id, operation));
        } else {
            transactions.run(tx -> work(tx, id, operation));
        }
    }

    private static List<GuardedScope> scopes(Operation operation) {
        List<GuardedScope> scopes = new ArrayList<>(List.of(OPERATORS.globally()));
        operation.organizations().forEach(organization -> scopes.add(ADMINISTRATORS.at(organization)));
        return scopes;
    }

    private void work(Transaction tx, UUID id, Operation operation) throws SQLException {
        tally.attempted();
        try (Statement statement = tx.connection().createStatement()) {
            statement.execute(operation.sql());
        }
        try (PreparedStatement entry = tx.connection().prepareStatement("INSERT INTO ledger VALUES (?)")) {
            entry.setObject(1, id);
            entry.execute();
        }
    }
}

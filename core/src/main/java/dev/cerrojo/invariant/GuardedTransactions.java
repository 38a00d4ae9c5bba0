package dev.cerrojo.invariant;

import dev.cerrojo.internal.Doom;
import dev.cerrojo.tx.AfterCommitException;
import dev.cerrojo.tx.Isolation;
import dev.cerrojo.tx.NestedTransactionException;
import dev.cerrojo.tx.OutcomeUnknownException;
import dev.cerrojo.tx.OuterTransaction;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionAction;
import dev.cerrojo.tx.TransactionWork;
import dev.cerrojo.tx.Transactions;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Transactions that keep invariants: each takes the serialization points of its scopes, then does its work, then checks
 * the invariants, and is rolled back when one is violated.
 *
 * <pre>{@code
 * GuardedTransactions guarded = GuardedTransactions.over(Transactions.over(dataSource));
 * SerializationPoint onCall = SerializationPoint.touch(coverage);
 *
 * guarded.run(onCall.at(shift), tx -> {
 *     try (PreparedStatement leave = tx.connection()
 *             .prepareStatement("UPDATE on_call SET active = false WHERE shift_id = ? AND doctor = ?")) {
 *         leave.setInt(1, shift);
 *         leave.setString(2, doctor);
 *         leave.executeUpdate();
 *     }
 * });
 * }</pre>
 *
 * <p><b>What it gives.</b> Of two transactions of one scope, the second waits for the first and then sees what it left. At
 * READ COMMITTED it gets the same {@link InvariantViolatedException} as if it had come a year later; no other error is
 * added. Above READ COMMITTED it first fails with 40001, and is run again. Transactions of other scopes do not wait.
 *
 * <p><b>What it costs.</b> One round trip for the point and one for the check, per invariant. Before the first use of a
 * scope table, one transaction of its own asks for its key's type.
 *
 * <p><b>What it does not see.</b> Who writes without it. A {@code dev.cerrojo.guard.Guard} in the database sees all; both
 * together take the same guard row. Safe for use by several threads.
 */
@SuppressWarnings("exports") // users need no JSpecify
public final class GuardedTransactions {
    private static final int MOST_SCOPES_KEPT = 16;

    private static final String CHECK_VIOLATION = "23514";
    private static final String DOOMED = "an invariant is violated in this transaction, so it must be rolled back";

    private final Transactions transactions;
    private final Map<Scope.Table, KeyType> keyTypes = new ConcurrentHashMap<>();
    private final Map<Statements, GuardSql> sql = new ConcurrentHashMap<>();

    /** What statements depend on. */
    private record Statements(SerializationPoint point, int scopes) {}

    private GuardedTransactions(Transactions transactions) {
        this.transactions = transactions;
    }

    /** {@return guarded transactions that are run, and run again, as these are} */
    public static GuardedTransactions over(Transactions transactions) {
        return new GuardedTransactions(transactions);
    }

    /**
     * Runs work that guards one scope.
     *
     * @throws InvariantViolatedException when the work would leave the invariant violated; everything is rolled back
     * @throws NotProtectedException when the serialization point would not protect, because of the isolation level, say
     * @throws X when the work throws it; everything is rolled back
     */
    public <X extends Exception> void run(GuardedScope scope, TransactionAction<X> work) throws X {
        run(List.of(scope), work);
    }

    /**
     * Runs work that guards several scopes, of one invariant or of several. They are taken in one order, whatever that of
     * the collection: by the invariant's name, then by key.
     *
     * @param scopes at least one; all scopes of one invariant by the same serialization point
     * @throws InvariantViolatedException when the work would leave an invariant violated; everything is rolled back
     * @throws NotProtectedException when a serialization point would not protect, because of the isolation level, say
     * @throws X when the work throws it; everything is rolled back
     */
    public <X extends Exception> void run(Collection<GuardedScope> scopes, TransactionAction<X> work) throws X {
        this.<Boolean, X>call(scopes, transaction -> {
            work.run(transaction);
            return true;
        });
    }

    /**
     * Runs work that guards one scope; else as {@link #run(GuardedScope, TransactionAction)}.
     *
     * @return what the work returned, once it is committed
     */
    public <T extends @Nullable Object, X extends Exception> T call(GuardedScope scope, TransactionWork<T, X> work)
            throws X {
        return call(List.of(scope), work);
    }

    /**
     * Runs work that guards several scopes; else as {@link #run(Collection, TransactionAction)}.
     *
     * @return what the work returned, once it is committed
     */
    public <T extends @Nullable Object, X extends Exception> T call(
            Collection<GuardedScope> scopes, TransactionWork<T, X> work) throws X {
        try {
            if (transactions.options().outer() == OuterTransaction.JOIN) {
                return transactions.call(transaction -> join(transaction, scopes, work));
            }
            List<Guarding> guardings = guardings(scopes);
            return transactions.call(transaction -> guarded(transaction, guardings, work));
        } catch (RuntimeException failure) {
            throw translated(failure, scopes);
        }
    }

    /**
     * Does work in a transaction that is open already, and guards its scopes; else as {@link #call(Collection,
     * TransactionWork)}. It neither commits nor runs the work again. The check follows the work: what the transaction
     * does later is not checked.
     *
     * @throws InvariantViolatedException when the work leaves an invariant violated. The transaction can only be rolled back
     *     then, as a whole or to a savepoint from before
     * @throws NotProtectedException also when the transaction is above READ COMMITTED and has run a query: its snapshot is
     *     older than the wait for the serialization point
     * @throws SQLException when a statement fails; the transaction must be rolled back
     */
    public <T extends @Nullable Object, X extends Exception> T join(
            Transaction open, Collection<GuardedScope> scopes, TransactionWork<T, X> work) throws X, SQLException {
        requireNoSnapshot(open);
        for (GuardedScope scope : scopes) {
            if (scope.invariant().scope() instanceof Scope.Table table) {
                keyType(open, table);
            }
        }
        try {
            return guarded(open, guardings(scopes), work);
        } catch (InvariantViolatedException violated) {
            doom(open, violated);
            throw violated;
        }
    }

    /** Who swallows the exception must not commit what it tells of: now PostgreSQL refuses to, and its owner knows. */
    private static void doom(Transaction open, InvariantViolatedException violated) {
        Doom.fail(open.connection(), CHECK_VIOLATION, DOOMED, violated);
        try {
            open.rollbackOnly(String.valueOf(violated.getMessage()));
        } catch (NestedTransactionException nobodyToTell) {
            return;
        }
    }

    private static void requireNoSnapshot(Transaction open) throws SQLException {
        Isolation isolation = open.isolation();
        if (isolation == Isolation.READ_COMMITTED) {
            return;
        }
        try (Statement statement = open.connection().createStatement()) {
            // Changes nothing; PostgreSQL refuses it with 25001 once the transaction has a snapshot.
            statement.execute("SET TRANSACTION NOT DEFERRABLE");
        } catch (SQLException refused) {
            throw new NotProtectedException(
                    "the transaction is at %s and has already run a query, so it would decide on data from before its wait for"
                                    .formatted(isolation.sql())
                            + " the serialization point: guard it before its first query, or join at read committed",
                    refused);
        }
    }

    private static <T extends @Nullable Object, X extends Exception> T guarded(
            Transaction transaction, List<Guarding> guardings, TransactionWork<T, X> work) throws X, SQLException {
        for (Guarding guarding : guardings) {
            guarding.take(transaction);
        }
        T result = work.run(transaction);
        for (Guarding guarding : guardings) {
            guarding.check(transaction);
        }
        return result;
    }

    private List<Guarding> guardings(Collection<GuardedScope> scopes) {
        if (scopes.size() == 1) {
            GuardedScope scope = scopes.iterator().next();
            return List.of(guarding(scope.point(), scope.key().map(List::of).orElse(List.of())));
        }
        if (scopes.isEmpty()) {
            throw new NotProtectedException(
                    "a guarded transaction must name at least one scope, but names none: use Transactions for work that"
                            + " cannot break an invariant");
        }
        Map<SerializationPoint, Set<Object>> keys = new LinkedHashMap<>();
        for (GuardedScope scope : scopes) {
            Set<Object> ofPoint = keys.computeIfAbsent(scope.point(), any -> new LinkedHashSet<>());
            scope.key().ifPresent(ofPoint::add);
        }
        requireOnePointEach(keys.keySet());
        return keys.entrySet().stream()
                .map(entry -> guarding(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparing(guarding -> guarding.invariant().name()))
                .toList();
    }

    private static void requireOnePointEach(Set<SerializationPoint> points) {
        Map<String, SerializationPoint> byName = new LinkedHashMap<>();
        for (SerializationPoint point : points) {
            SerializationPoint other = byName.put(point.invariant().name(), point);
            if (other != null) {
                throw new NotProtectedException(
                        "invariant %s is guarded by %s and by %s in one transaction: use the same for all its scopes, and in every transaction"
                                .formatted(
                                        point.invariant().name(),
                                        PointKind.of(other).words(),
                                        PointKind.of(point).words()));
            }
        }
    }

    private Guarding guarding(SerializationPoint point, Collection<Object> keys) {
        Statements statements = new Statements(point, keys.size());
        GuardSql known = sql.get(statements);
        if (known == null) {
            known = GuardSql.of(point, keys.size(), type(point));
            if (keys.size() <= MOST_SCOPES_KEPT) {
                sql.put(statements, known);
            }
        }
        return new Guarding(point, List.copyOf(keys), known);
    }

    private Optional<KeyType> type(SerializationPoint point) {
        if (!(point.invariant().scope() instanceof Scope.Table table)) {
            return Optional.empty();
        }
        KeyType type = keyType(table);
        if (PointKind.of(point).byText() && !type.oneText()) {
            throw new NotProtectedException(
                    "the scope of invariant %s is %s, and equal values of that type may be written differently, so two"
                                    .formatted(point.invariant().name(), type.sql())
                            + " transactions of one scope could pass each other: lock the scope row, or use a key of"
                            + " another type");
        }
        return Optional.of(type);
    }

    private KeyType keyType(Scope.Table table) {
        KeyType known = keyTypes.get(table);
        if (known == null) {
            known = transactions.call(transaction -> KeyType.of(transaction.connection(), table));
            keyTypes.put(table, known);
        }
        return known;
    }

    private void keyType(Transaction open, Scope.Table table) throws SQLException {
        if (!keyTypes.containsKey(table)) {
            keyTypes.put(table, KeyType.of(open.connection(), table));
        }
    }

    /** Whatever caused it: who is told that the invariant was violated takes it that nothing is committed. */
    private static RuntimeException translated(RuntimeException failure, Collection<GuardedScope> scopes) {
        if (failure instanceof AfterCommitException || failure instanceof OutcomeUnknownException) {
            return failure;
        }
        return scopes.stream()
                .map(GuardedScope::invariant)
                .filter(invariant -> invariant.refused(failure))
                .findFirst()
                .<RuntimeException>map(invariant -> new InvariantViolatedException(invariant, failure))
                .orElse(failure);
    }
}

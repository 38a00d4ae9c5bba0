package dev.cerrojo.invariant;

import static dev.cerrojo.invariant.Declaration.require;

import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.SqlText;
import dev.cerrojo.tx.Isolation;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What every transaction that may break the invariant of a scope takes first, so that they run one after another.
 *
 * <p>It must be the first statement of its transaction and a statement of its own: a query in the same statement, or
 * before it, reads with a snapshot from before the wait. It is held until the transaction ends, also behind a
 * transaction pooler.
 *
 * <pre>{@code
 * SerializationPoint point = SerializationPoint.touch(coverage);
 * try (PreparedStatement first = connection.prepareStatement(point.sql("?"))) {
 *     first.setInt(1, shift);
 *     first.execute();
 * }
 * }</pre>
 */
public sealed interface SerializationPoint {
    /** {@return the invariant whose scopes it puts in order} */
    Invariant invariant();

    /**
     * {@return the statement that takes it for one scope}
     *
     * @param scopeValue an SQL expression of the scope, such as {@code ?} or {@code :shift}; it comes once in the
     *     statement, and not at all in global scope
     */
    String sql(String scopeValue);

    /**
     * {@return the statement that takes it for several scopes, in an order that does not depend on the list's}
     *
     * <p>So two transactions that take some of the same scopes wait for each other, and never in a circle. A scope that
     * is named twice is taken once.
     *
     * @param scopeValues SQL expressions of the scopes, all of the key's type; each comes once in the statement. One at
     *     least; in global scope, which has one instance, they are not read
     */
    String sql(List<String> scopeValues);

    /** {@return the statements that make what it needs where that is missing; none when it needs nothing of its own} */
    default List<String> setupStatements() {
        return List.of();
    }

    /**
     * {@return whether a transaction of that level is right to rely on it}
     *
     * <p>A point that only locks is not enough above READ COMMITTED: the locking statement takes its snapshot before it
     * waits, and what is read after the wait is as old as that snapshot; nothing tells.
     */
    boolean holdsAt(Isolation isolation);

    /**
     * {@return one scope to guard by this point}
     *
     * @param key the key of the scope row
     * @throws InvalidInvariantException in global scope
     */
    default GuardedScope at(Object key) {
        return new GuardedScope(this, Optional.of(key));
    }

    /**
     * {@return the one scope of an invariant in global scope, to guard by this point}
     *
     * @throws InvalidInvariantException when the invariant has a scope table
     */
    default GuardedScope globally() {
        return new GuardedScope(this, Optional.empty());
    }

    /** {@return the point that updates the scope's row of the guard table in schema {@code cerrojo}} */
    static SerializationPoint touch(Invariant invariant) {
        return new Touch(invariant, GuardTable.DEFAULT_SCHEMA);
    }

    /** {@return the point that updates the scope's row of the guard table in another schema} */
    static SerializationPoint touch(Invariant invariant, String schema) {
        return new Touch(invariant, schema);
    }

    /**
     * {@return the point that locks the row of the scope table}
     *
     * @throws InvalidInvariantException in global scope, which has no row
     */
    static SerializationPoint lockScopeRow(Invariant invariant, RowLock lock) {
        return new LockScopeRow(invariant, lock);
    }

    /** {@return the point that takes an advisory lock whose key is derived from the invariant and the scope} */
    static Advisory advisory(Invariant invariant) {
        return new Advisory(invariant);
    }

    /**
     * {@return the point that takes an advisory lock whose key is given as two ints, as other services take it}
     *
     * @param classId the first key
     * @param object the second key, an SQL expression of type {@code int} in which {@code :scope} stands for the scope
     *     as text, at most once: {@code hashtext(:scope)}, or {@code 0}
     */
    static SerializationPoint advisory(Invariant invariant, int classId, String object) {
        return new AdvisoryPair(invariant, classId, object);
    }

    /** {@return the point that leaves the order to PostgreSQL: transactions at SERIALIZABLE, run again on 40001} */
    static SerializationPoint serializable(Invariant invariant) {
        return new Serializable(invariant);
    }

    /**
     * Updates the scope's row of the guard table. Right at every isolation level: where the snapshot is older than
     * another transaction's touch, PostgreSQL refuses with 40001.
     *
     * @param schema the schema of the guard table
     */
    record Touch(Invariant invariant, String schema) implements SerializationPoint {
        /** Checks that nothing is missing. */
        public Touch {
            Objects.requireNonNull(invariant);
            Objects.requireNonNull(schema);
        }

        @Override
        public String sql(String scopeValue) {
            return new GuardTable(schema)
                    .touch("VALUES (%s, %s)"
                            .formatted(Identifiers.quoteLiteral(invariant.name()), scopeText(invariant, scopeValue)));
        }

        @Override
        public String sql(List<String> scopeValues) {
            return new GuardTable(schema)
                    .touch("""
                    SELECT %s, s.scope
                    FROM (VALUES %s) AS s (scope)
                    GROUP BY s.scope
                    ORDER BY s.scope COLLATE "C\"""".formatted(Identifiers.quoteLiteral(invariant.name()), rows(invariant, scopeValues)));
        }

        @Override
        public List<String> setupStatements() {
            return new GuardTable(schema).createStatements();
        }

        @Override
        public boolean holdsAt(Isolation isolation) {
            return true;
        }
    }

    /**
     * Locks the row of the scope table, which must exist: without it nothing is locked. Right at READ COMMITTED only.
     *
     * @param lock how
     */
    record LockScopeRow(Invariant invariant, RowLock lock) implements SerializationPoint {
        /** Checks that the scope has a row. */
        public LockScopeRow {
            require(
                    invariant.scope() instanceof Scope.Table,
                    "invariant %s has global scope, so there is no scope row to lock: use touch or advisory",
                    invariant.name());
            Objects.requireNonNull(lock);
        }

        @Override
        public String sql(String scopeValue) {
            return "SELECT 1 FROM %s WHERE %s = %s %s".formatted(table(), key(), scopeValue, lock.sql());
        }

        /** Rows are locked in the order in which they are sorted: the locking node stands above the sort. */
        @Override
        public String sql(List<String> scopeValues) {
            return "SELECT 1 FROM %s WHERE %s IN (%s) ORDER BY %2$s %s"
                    .formatted(table(), key(), String.join(", ", scopeValues), lock.sql());
        }

        private String table() {
            return Declaration.table("table", ((Scope.Table) invariant.scope()).table())
                    .sql();
        }

        private String key() {
            return Declaration.column("key", ((Scope.Table) invariant.scope()).key())
                    .sql();
        }

        @Override
        public boolean holdsAt(Isolation isolation) {
            return isolation == Isolation.READ_COMMITTED;
        }
    }

    /**
     * Takes a transaction-scoped advisory lock. Right at READ COMMITTED only.
     *
     * <p>The key is the first 8 bytes, big-endian, of the SHA-256 of {@code cerrojo:<invariant>:<scope>} in UTF-8, where
     * the scope is written as PostgreSQL casts it to text ({@code global} in global scope). This derivation does not
     * change between versions. Two scopes whose keys collide only wait for each other.
     */
    record Advisory(Invariant invariant) implements SerializationPoint {
        /** Checks that nothing is missing. */
        public Advisory {
            Objects.requireNonNull(invariant);
        }

        /** {@return the key of a scope, the same that the statement computes} */
        public long key(String scopeText) {
            return ByteBuffer.wrap(Identifiers.sha256(prefix() + scopeText)).getLong();
        }

        @Override
        public String sql(String scopeValue) {
            return "SELECT pg_advisory_xact_lock(" + keySql(scopeValue) + ")";
        }

        @Override
        public String sql(List<String> scopeValues) {
            return inKeyOrder(
                    "k.key", scopeValues.stream().limit(instances(invariant)).map(this::keySql));
        }

        /** {@return the key of a scope as an SQL expression of type bigint} */
        public String keySql(String scopeValue) {
            return "('x' || encode(substr(sha256(convert_to(%s || %s, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint"
                    .formatted(Identifiers.quoteLiteral(prefix()), scopeText(invariant, scopeValue));
        }

        private String prefix() {
            return "cerrojo:" + invariant.name() + ":";
        }

        @Override
        public boolean holdsAt(Isolation isolation) {
            return isolation == Isolation.READ_COMMITTED;
        }
    }

    /**
     * Takes a transaction-scoped advisory lock whose key is two ints. Right at READ COMMITTED only.
     *
     * @param classId the first key
     * @param object the second key, an SQL expression in which {@code :scope} stands for the scope as text
     */
    record AdvisoryPair(Invariant invariant, int classId, String object) implements SerializationPoint {
        /** Checks the expression. */
        public AdvisoryPair {
            Objects.requireNonNull(invariant);
            Declaration.expression("object of the advisory lock", object);
        }

        @Override
        public String sql(String scopeValue) {
            return "SELECT pg_advisory_xact_lock((%d)::int, %s)".formatted(classId, keySql(scopeValue));
        }

        @Override
        public String sql(List<String> scopeValues) {
            return inKeyOrder(
                    "(%d)::int, k.key".formatted(classId),
                    scopeValues.stream().limit(instances(invariant)).map(this::keySql));
        }

        private String keySql(String scopeValue) {
            return SqlText.replaceVariables(
                    object, name -> name.equals("scope") ? scopeText(invariant, scopeValue) : ':' + name);
        }

        @Override
        public boolean holdsAt(Isolation isolation) {
            return isolation == Isolation.READ_COMMITTED;
        }
    }

    /**
     * Takes nothing: PostgreSQL lets transactions at SERIALIZABLE commit only when some order of them, one after
     * another, gives the same. It holds only when <em>every</em> transaction that may break the invariant is at that
     * level; each must be run again on 40001.
     */
    record Serializable(Invariant invariant) implements SerializationPoint {
        /** Asks for the level: a statement that takes neither a lock nor the snapshot. */
        private static final String NOTHING_TO_TAKE = "SHOW transaction_isolation";

        /** Checks that nothing is missing. */
        public Serializable {
            Objects.requireNonNull(invariant);
        }

        @Override
        public String sql(String scopeValue) {
            return NOTHING_TO_TAKE;
        }

        @Override
        public String sql(List<String> scopeValues) {
            return NOTHING_TO_TAKE;
        }

        @Override
        public boolean holdsAt(Isolation isolation) {
            return isolation == Isolation.SERIALIZABLE;
        }
    }

    /** How strongly a row is locked. */
    enum RowLock {
        /** Waits for other writers; foreign keys that point to the row still go through. */
        FOR_NO_KEY_UPDATE("FOR NO KEY UPDATE"),
        /** Waits for inserts of rows that point to the row by a foreign key, too. */
        FOR_UPDATE("FOR UPDATE");

        private final String sql;

        RowLock(String sql) {
            this.sql = sql;
        }

        /** {@return the clause as SQL writes it} */
        public String sql() {
            return sql;
        }
    }

    private static String scopeText(Invariant invariant, String scopeValue) {
        return invariant.scope() instanceof Scope.Table
                ? "(" + scopeValue + ")::text"
                : Identifiers.quoteLiteral(GuardTable.GLOBAL_SCOPE);
    }

    private static long instances(Invariant invariant) {
        return invariant.scope() instanceof Scope.Table ? Long.MAX_VALUE : 1;
    }

    private static String rows(Invariant invariant, List<String> scopeValues) {
        return scopeValues.stream()
                .limit(instances(invariant))
                .map(value -> "(" + scopeText(invariant, value) + ")")
                .collect(Collectors.joining(", "));
    }

    /** The sub-query is sorted, so it is not merged into the outer query: locks are taken row by row in its order. */
    private static String inKeyOrder(String arguments, Stream<String> keys) {
        return "SELECT pg_advisory_xact_lock(%s) FROM (SELECT v.key FROM (VALUES %s) AS v (key) GROUP BY v.key ORDER BY v.key) AS k"
                .formatted(arguments, keys.map(key -> "(" + key + ")").collect(Collectors.joining(", ")));
    }
}

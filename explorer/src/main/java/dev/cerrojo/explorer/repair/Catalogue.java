package dev.cerrojo.explorer.repair;

import static dev.cerrojo.explorer.repair.Blueprint.ALL_LEVELS;
import static dev.cerrojo.explorer.repair.Blueprint.LOCKING_LEVELS;

import dev.cerrojo.CerrojoException;
import dev.cerrojo.explorer.repair.Blueprint.NotBuildable;
import dev.cerrojo.explorer.repair.Candidate.Kind;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.sql.SqlText;
import dev.cerrojo.guard.Guard;
import dev.cerrojo.guard.GuardOptions;
import dev.cerrojo.guard.NativeConstraint;
import dev.cerrojo.guard.TriggerGuard;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import dev.cerrojo.invariant.SerializationPoint;
import dev.cerrojo.invariant.SerializationPoint.RowLock;
import dev.cerrojo.tx.Isolation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Every candidate that Cerrojo builds itself, from what a scenario declares and what PostgreSQL knows of it. */
final class Catalogue {
    private static final int RETRIES = 3;

    /** The invariants, with their watches filled in, in the one order in which their serialization points are taken. */
    private final List<Invariant> invariants;

    /** The tables that the invariants read, in the order of their names. */
    private final Set<String> tables = new TreeSet<>();

    /**
     * Makes a catalogue.
     *
     * @param invariants the scenario's, those of plain SQL with the tables they read as their watches
     * @param tables the tables that each reads
     */
    Catalogue(List<Invariant> invariants, Set<String> tables) {
        this.invariants = invariants.stream()
                .sorted(Comparator.comparing(Invariant::name))
                .toList();
        this.tables.addAll(tables);
    }

    List<Blueprint> blueprints() {
        List<Blueprint> all = new ArrayList<>(candidates());
        all.addAll(knownBad());
        return all;
    }

    private List<Blueprint> candidates() {
        return List.of(
                blueprint(
                        "touch",
                        "Touch a guard row",
                        "UPDATE a row of Cerrojo's guard table for the scope, as the first statement of every transaction",
                        ALL_LEVELS,
                        scenario -> takeFirst(scenario, "touch", SerializationPoint::touch)),
                blueprint(
                        "lock-scope-row",
                        "Lock the scope row, FOR NO KEY UPDATE",
                        "lock the row of the scope table, as the first statement of every transaction",
                        ALL_LEVELS,
                        scenario -> takeFirst(
                                scenario,
                                "lock-scope-row",
                                invariant -> SerializationPoint.lockScopeRow(invariant, RowLock.FOR_NO_KEY_UPDATE))),
                blueprint(
                        "lock-scope-row-for-update",
                        "Lock the scope row, FOR UPDATE",
                        "lock the row of the scope table, also against rows that refer to it",
                        ALL_LEVELS,
                        scenario -> takeFirst(
                                scenario,
                                "lock-scope-row-for-update",
                                invariant -> SerializationPoint.lockScopeRow(invariant, RowLock.FOR_UPDATE))),
                blueprint(
                        "advisory-lock",
                        "Advisory lock, taken first",
                        "take a transaction-scoped advisory lock of the scope, as the first statement of every transaction",
                        ALL_LEVELS,
                        scenario -> takeFirst(scenario, "advisory-lock", SerializationPoint::advisory)),
                blueprint(
                        "lock-read-rows",
                        "Lock the rows that are read",
                        "add FOR UPDATE to every read",
                        ALL_LEVELS,
                        scenario -> Steps.changeSome(
                                scenario, transaction -> LockedReads.lock(Steps.inOneTransaction(transaction)))),
                blueprint(
                        "lock-table",
                        "LOCK TABLE, taken first",
                        "lock the tables of the invariant in SHARE ROW EXCLUSIVE mode, as the first statement",
                        ALL_LEVELS,
                        this::lockTable),
                blueprint(
                        "serializable",
                        "SERIALIZABLE with retry",
                        "run every transaction at SERIALIZABLE, and again after 40001, up to " + RETRIES + " times",
                        List.of(Isolation.SERIALIZABLE),
                        Catalogue::withRetry),
                blueprint(
                        "repeatable-read",
                        "REPEATABLE READ with retry",
                        "run every transaction at REPEATABLE READ, and again after 40001, up to " + RETRIES + " times",
                        List.of(Isolation.REPEATABLE_READ),
                        Catalogue::withRetry),
                blueprint(
                        "folded-check",
                        "Check folded into the write",
                        "one statement that writes only where a sub-query says it may",
                        ALL_LEVELS,
                        scenario -> Steps.changeSome(scenario, FoldedCheck::fold)),
                blueprint(
                        "version-column",
                        "Version column on the scope row",
                        "read a version first, and raise it at the end only if it is still the same",
                        ALL_LEVELS,
                        this::versionColumn),
                blueprint(
                        "native-constraint",
                        "Native constraint",
                        "let PostgreSQL's own unique index or exclusion constraint enforce the rule",
                        ALL_LEVELS,
                        this::nativeConstraint),
                blueprint(
                        "trigger-guard",
                        "Trigger guard",
                        "triggers that touch the guard row of each changed scope and then check it: nothing bypasses them",
                        ALL_LEVELS,
                        this::triggerGuard));
    }

    private List<Blueprint> knownBad() {
        return List.of(
                knownBad(
                        "one-transaction",
                        "One transaction, nothing else",
                        "put the check and the write into one transaction, and trust that to be enough",
                        this::oneTransaction),
                knownBad(
                        "lock-after-check",
                        "Lock taken after the check",
                        "take the lock just before the write, when the decision was already made on older rows",
                        this::lockAfterCheck),
                knownBad(
                        "lock-in-one-path",
                        "Lock in one path only",
                        "take the lock in one of the transactions and forget the others",
                        this::lockInOnePath),
                knownBad(
                        "lock-and-read-together",
                        "Lock and read in one statement",
                        "one SELECT that takes the lock and reads: its snapshot is from before the wait",
                        this::lockAndReadTogether),
                knownBad(
                        "lock-released-early",
                        "Lock released before COMMIT",
                        "a session lock that is released when the work is done and not yet visible",
                        this::lockReleasedEarly),
                knownBad(
                        "lock-in-its-own-transaction",
                        "Lock in a transaction of its own",
                        "take the lock, commit, then do the work: the lock is gone by then",
                        this::lockInItsOwnTransaction),
                knownBad(
                        "share-lock",
                        "Lock the scope row, FOR SHARE",
                        "a lock that two transactions can hold at once",
                        this::shareLock),
                knownBad(
                        "counting-trigger",
                        "Trigger that only counts",
                        "a trigger that looks at the rows without taking anything first: it does not see what others have"
                                + " not committed",
                        scenario -> countingTrigger(scenario, false)),
                knownBad(
                        "counting-trigger-deferred",
                        "Deferred trigger that only counts",
                        "the same at COMMIT: two overlapping COMMITs do not see each other",
                        scenario -> countingTrigger(scenario, true)));
    }

    private static Blueprint blueprint(
            String id, String name, String idea, List<Isolation> levels, Blueprint.Builder builder) {
        return new Blueprint(new Candidate(id, name, Kind.CANDIDATE, idea), levels, builder);
    }

    private static Blueprint knownBad(String id, String name, String idea, Blueprint.Builder builder) {
        return new Blueprint(new Candidate(id, name, Kind.KNOWN_BAD, idea), LOCKING_LEVELS, builder);
    }

    // ---------------------------------------------------------------- serialization points

    private Scenario takeFirst(Scenario scenario, String id, Function<Invariant, SerializationPoint> point)
            throws NotBuildable {
        List<SerializationPoint> points = points(point);
        Scenario withTables = scenario;
        for (String statement : setup(points)) {
            withTables = withTables.withSetupAppended(statement + ";");
        }
        return Steps.change(
                withTables,
                transaction -> Steps.prepend(Steps.inOneTransaction(transaction), taken(id, points, transaction)));
    }

    private static Set<String> setup(List<SerializationPoint> points) {
        return points.stream()
                .flatMap(point -> point.setupStatements().stream())
                .collect(Collectors.toCollection(java.util.LinkedHashSet::new));
    }

    private List<SerializationPoint> points(Function<Invariant, SerializationPoint> point) throws NotBuildable {
        try {
            return invariants.stream().map(point).toList();
        } catch (CerrojoException e) {
            throw new NotBuildable(String.valueOf(e.getMessage()));
        }
    }

    private static List<Step> taken(String id, List<SerializationPoint> points, TransactionSpec transaction)
            throws NotBuildable {
        List<Step> steps = new ArrayList<>();
        for (SerializationPoint point : points) {
            steps.add(Steps.write(id, point.sql(scopeVariable(point.invariant(), transaction))));
        }
        return steps;
    }

    private static String scopeVariable(Invariant invariant, TransactionSpec transaction) throws NotBuildable {
        if (invariant.scope() instanceof Scope.Global) {
            return "NULL";
        }
        return ":"
                + transaction
                        .scope()
                        .orElseThrow(
                                () -> new NotBuildable("transaction " + transaction.name() + " does not declare which"
                                        + " of its parameters is the scope of invariant " + invariant.name()
                                        + " (scope: PARAMETER)"));
    }

    private List<SerializationPoint> advisory() throws NotBuildable {
        return points(SerializationPoint::advisory);
    }

    private Scenario lockTable(Scenario scenario) throws NotBuildable {
        if (tables.isEmpty()) {
            throw new NotBuildable("the invariant reads no table");
        }
        String sql = "LOCK TABLE " + String.join(", ", tables) + " IN SHARE ROW EXCLUSIVE MODE";
        return Steps.change(
                scenario,
                transaction ->
                        Steps.prepend(Steps.inOneTransaction(transaction), List.of(Steps.write("lock-table", sql))));
    }

    private static Scenario withRetry(Scenario scenario) throws NotBuildable {
        return Steps.change(
                scenario,
                transaction -> Steps.inOneTransaction(transaction).withRetry(Math.max(RETRIES, transaction.retry())));
    }

    private Scenario versionColumn(Scenario scenario) throws NotBuildable {
        Scope.Table scope = scopeTable();
        Invariant invariant = invariants.get(0);
        Scenario altered = scenario.withSetupAppended(
                "ALTER TABLE " + scope.table() + " ADD COLUMN cerrojo_version bigint NOT NULL DEFAULT 0;");
        return Steps.change(altered, transaction -> {
            String where = " WHERE " + scope.key() + " = " + scopeVariable(invariant, transaction);
            TransactionSpec first = Steps.prepend(
                    Steps.inOneTransaction(transaction),
                    List.of(Steps.read("version-column", "SELECT cerrojo_version FROM " + scope.table() + where)));
            return Steps.append(
                    first,
                    List.of(
                            Steps.write(
                                    "version-column",
                                    "UPDATE " + scope.table() + " SET cerrojo_version = cerrojo_version + 1" + where
                                            + " AND cerrojo_version = :cerrojo_version"),
                            Steps.check("version-column", "SELECT :rowcount = 1", "stale")));
        });
    }

    private Scope.Table scopeTable() throws NotBuildable {
        if (invariants.size() == 1 && invariants.get(0).scope() instanceof Scope.Table table) {
            return table;
        }
        throw new NotBuildable(
                invariants.size() == 1
                        ? "the invariant has global scope: there is no scope row"
                        : "there are several invariants, with scope rows of their own");
    }

    // ---------------------------------------------------------------- in the database

    private Scenario nativeConstraint(Scenario scenario) throws NotBuildable {
        for (Invariant invariant : invariants) {
            if (!NativeConstraint.isPossible(invariant)) {
                throw new NotBuildable("PostgreSQL has no constraint for the rule of invariant " + invariant.name()
                        + ": only unique and no_overlap are ones");
            }
        }
        return installed(scenario, invariant -> NativeConstraint.of(invariant, GuardOptions.defaults()));
    }

    private Scenario triggerGuard(Scenario scenario) throws NotBuildable {
        return installed(scenario, invariant -> TriggerGuard.of(invariant, GuardOptions.defaults()));
    }

    private Scenario installed(Scenario scenario, Function<Invariant, Guard> guard) throws NotBuildable {
        try {
            Scenario guarded = scenario;
            for (Invariant invariant : invariants) {
                for (String statement : guard.apply(invariant).installStatements()) {
                    guarded = guarded.withSetupAppended(statement + ";");
                }
            }
            return guarded;
        } catch (CerrojoException e) {
            throw new NotBuildable(String.valueOf(e.getMessage()));
        }
    }

    // ---------------------------------------------------------------- known bad

    private Scenario oneTransaction(Scenario scenario) throws NotBuildable {
        if (scenario.transactions().values().stream().allMatch(Steps::isOneTransaction)) {
            throw new NotBuildable("every transaction is one already");
        }
        return Steps.change(scenario, Steps::inOneTransaction);
    }

    private Scenario lockAfterCheck(Scenario scenario) throws NotBuildable {
        List<SerializationPoint> points = advisory();
        if (scenario.transactions().values().stream().noneMatch(Catalogue::readsBeforeItWrites)) {
            throw new NotBuildable("no transaction reads anything before its first write");
        }
        return Steps.change(scenario, original -> {
            TransactionSpec transaction = Steps.inOneTransaction(original);
            List<Step> steps = new ArrayList<>(transaction.steps());
            int write = Steps.firstWrite(transaction);
            steps.addAll(write == steps.size() ? 0 : write, taken("lock-after-check", points, transaction));
            return transaction.withSteps(steps);
        });
    }

    private static boolean readsBeforeItWrites(TransactionSpec original) {
        TransactionSpec transaction = Steps.inOneTransaction(original);
        int write = Steps.firstWrite(transaction);
        return write > 0 && write < transaction.steps().size();
    }

    private Scenario lockInOnePath(Scenario scenario) throws NotBuildable {
        List<SerializationPoint> points = advisory();
        List<String> used = scenario.runs().stream()
                .flatMap(run -> run.sessions().stream())
                .flatMap(session -> session.calls().stream())
                .map(call -> call.transaction())
                .distinct()
                .toList();
        if (used.size() < 2) {
            throw new NotBuildable("there is only one path");
        }
        return Steps.change(
                scenario,
                transaction -> transaction.name().equals(used.get(0))
                        ? Steps.prepend(
                                Steps.inOneTransaction(transaction), taken("lock-in-one-path", points, transaction))
                        : transaction);
    }

    private Scenario lockAndReadTogether(Scenario scenario) throws NotBuildable {
        if (invariants.size() != 1) {
            throw new NotBuildable("there are several invariants");
        }
        SerializationPoint.Advisory point = SerializationPoint.advisory(invariants.get(0));
        return Steps.changeSome(scenario, original -> {
            TransactionSpec transaction = Steps.inOneTransaction(original);
            if (!(transaction.steps().get(0) instanceof Step.Read read)
                    || !SqlText.of(read.sql().text()).firstWord().equals("SELECT")) {
                throw new NotBuildable(transaction.name() + " does not begin with a SELECT");
            }
            String sql = "SELECT cerrojo_read.* FROM (SELECT pg_advisory_xact_lock("
                    + point.keySql(scopeVariable(point.invariant(), transaction)) + ")) AS cerrojo_lock, LATERAL ("
                    + read.sql().text().strip() + ") AS cerrojo_read";
            List<Step> steps = new ArrayList<>(transaction.steps());
            steps.set(0, Steps.read("lock-and-read-together", sql));
            return transaction.withSteps(steps);
        });
    }

    private Scenario lockReleasedEarly(Scenario scenario) throws NotBuildable {
        return aroundWork(scenario, "lock-released-early", "pg_advisory_lock", "pg_advisory_unlock");
    }

    private Scenario aroundWork(Scenario scenario, String id, String take, String release) throws NotBuildable {
        if (invariants.size() != 1) {
            throw new NotBuildable("there are several invariants");
        }
        SerializationPoint.Advisory point = SerializationPoint.advisory(invariants.get(0));
        return Steps.change(scenario, transaction -> {
            String key = point.keySql(scopeVariable(point.invariant(), transaction));
            return Steps.append(
                    Steps.prepend(
                            Steps.inOneTransaction(transaction),
                            List.of(Steps.write(id, "SELECT " + take + "(" + key + ")"))),
                    List.of(Steps.write(id, "SELECT " + release + "(" + key + ")")));
        });
    }

    private Scenario lockInItsOwnTransaction(Scenario scenario) throws NotBuildable {
        List<SerializationPoint> points = advisory();
        return Steps.change(scenario, original -> {
            TransactionSpec transaction = Steps.inOneTransaction(original);
            List<Step> first = new ArrayList<>(taken("lock-in-its-own-transaction", points, transaction));
            first.add(new Step.Commit(Steps.at("lock-in-its-own-transaction")));
            return Steps.prepend(transaction, first);
        });
    }

    private Scenario shareLock(Scenario scenario) throws NotBuildable {
        Scope.Table scope = scopeTable();
        return Steps.change(
                scenario,
                transaction -> Steps.prepend(
                        Steps.inOneTransaction(transaction),
                        List.of(Steps.write(
                                "share-lock",
                                "SELECT 1 FROM " + scope.table() + " WHERE " + scope.key() + " = "
                                        + scopeVariable(invariants.get(0), transaction) + " FOR SHARE"))));
    }

    private Scenario countingTrigger(Scenario scenario, boolean deferred) throws NotBuildable {
        if (tables.isEmpty()) {
            throw new NotBuildable("the invariant reads no table");
        }
        StringBuilder sql = new StringBuilder();
        for (int i = 0; i < invariants.size(); i++) {
            String function = "cerrojo_counts_" + i;
            sql.append("""
                    CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql AS $cerrojo$
                    BEGIN
                      IF EXISTS (%s) THEN
                        RAISE EXCEPTION USING ERRCODE = '23514', MESSAGE = 'invariant %s is violated';
                      END IF;
                      RETURN NULL;
                    END $cerrojo$;
                    """.formatted(
                            function,
                            invariants.get(i).violationSql().strip().replaceAll(";+$", ""),
                            invariants.get(i).name()));
            int number = 0;
            for (String table : tables) {
                sql.append(
                        "CREATE CONSTRAINT TRIGGER %s_%d AFTER INSERT OR UPDATE OR DELETE ON %s %s FOR EACH ROW EXECUTE FUNCTION %s();\n"
                                .formatted(
                                        function,
                                        number++,
                                        table,
                                        deferred ? "DEFERRABLE INITIALLY DEFERRED" : "NOT DEFERRABLE",
                                        function));
            }
        }
        return scenario.withSetupAppended(sql.toString());
    }

    static Invariant withWatches(Invariant invariant, List<String> tables) {
        if (invariant.rule() instanceof Rule.ViolatedBy rule && rule.watches().isEmpty() && !tables.isEmpty()) {
            return new Invariant(
                    invariant.name(),
                    invariant.says(),
                    new Scope.Global(),
                    java.util.Optional.empty(),
                    new Rule.ViolatedBy(
                            rule.sql(),
                            tables.stream()
                                    .map(table -> new Rule.Watch(table, java.util.Optional.empty()))
                                    .toList()));
        }
        return invariant;
    }
}

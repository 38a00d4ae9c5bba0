package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.Checker;
import dev.cerrojo.explorer.check.GatedPass;
import dev.cerrojo.explorer.check.Judgement;
import dev.cerrojo.explorer.database.Arena;
import dev.cerrojo.explorer.database.ScenarioSqlException;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.repair.Blueprint.NotBuildable;
import dev.cerrojo.explorer.scenario.Position;
import dev.cerrojo.explorer.scenario.Problem;
import dev.cerrojo.explorer.scenario.Repair;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioException;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Goal;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.search.Workers;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Tries candidates on a server, and recommends one. */
public final class Repairer {
    private final Server server;
    private final Checker checker;
    private final Inside inside;
    private final Workers workers;
    private final Bounds bounds;
    private final Search.Mode mode;
    private final Progress progress;
    private final Optional<Measuring> measuring;

    /** Whether what holds between statements is tried inside of them too. */
    public enum Inside {
        /** It is. */
        TRIED,
        /** It is not: the verdict stands for statements as a whole. */
        SKIPPED
    }

    /**
     * Makes a repairer.
     *
     * @param server where scratch databases are made
     * @param bounds where it gives up: all searches of one scenario together in time, at most half of it for the scenario as it
     *     stands and the rest in equal parts; each search in schedules
     * @param mode whether schedules that cannot be told apart are run once or each
     * @param inside whether what holds between statements is tried inside of them too
     * @param workers try several candidates at once, each in databases of its own
     * @param progress is told how each search goes, from the workers' threads
     */
    public Repairer(Server server, Bounds bounds, Search.Mode mode, Inside inside, Workers workers, Progress progress) {
        this(server, bounds, mode, inside, workers, progress, Optional.empty());
    }

    private Repairer(
            Server server,
            Bounds bounds,
            Search.Mode mode,
            Inside inside,
            Workers workers,
            Progress progress,
            Optional<Measuring> measuring) {
        this.inside = inside;
        this.workers = workers;
        this.server = server;
        this.bounds = bounds;
        this.mode = mode;
        this.progress = progress;
        this.measuring = measuring;
        this.checker = new Checker(server, bounds, mode, progress);
    }

    /**
     * Measures too what those cost that hold.
     *
     * @param how how long, with how many clients
     * @return such a repairer
     */
    public Repairer measuring(Measuring how) {
        return new Repairer(server, bounds, mode, inside, workers, progress, Optional.of(how));
    }

    /**
     * Checks the scenario, tries every candidate and recommends one.
     *
     * @param scenario the scenario
     * @return what was found
     * @throws ScenarioSqlException if PostgreSQL does not take the scenario's own SQL
     * @throws SQLException if the server cannot do it
     */
    public RepairReport repair(Scenario scenario) throws SQLException {
        return repair(scenario, candidate -> true);
    }

    /**
     * Checks the scenario, and tries some candidates.
     *
     * @param scenario the scenario
     * @param which those to try, of {@link #candidates}; a recommendation is made of these alone
     * @return what was found
     * @throws ScenarioException if the scenario has no invariant
     * @throws ScenarioSqlException if PostgreSQL does not take the scenario's own SQL
     * @throws SQLException if the server cannot do it
     */
    public RepairReport repair(Scenario scenario, Predicate<Candidate> which) throws SQLException {
        needInvariants(scenario);
        Tried tried = tried(scenario, which);
        Priced priced = measuring.isEmpty() || tried.base().verdict() == Verdict.HOLDS
                ? Priced.NOT_ASKED
                : priced(scenario, tried, measuring.orElseThrow());
        return new RepairReport(
                tried.base(),
                tried.results(),
                Recommender.recommend(scenario, tried.base(), tried.results(), tried.invariants(), priced.prices()),
                Scopes.impossible(scenario),
                priced.prices(),
                priced.note());
    }

    /** What was tried, and of which catalogue. */
    private record Tried(
            CheckResult base, List<CandidateResult> results, List<Invariant> invariants, List<Blueprint> blueprints) {}

    private Tried tried(Scenario scenario, Predicate<Candidate> which) throws SQLException {
        Patience patience = new Patience(bounds, 2, 1);
        try (Arenas arenas = new Arenas(server)) {
            Checker first = checker.within(patience.next());
            CheckResult base =
                    arenas.with(scenario, Arena.Gates.OFF, arena -> first.check(arena, scenario, Goal.EVERY_SCHEDULE));
            Set<String> tables = new TreeSet<>();
            List<Invariant> invariants =
                    arenas.with(scenario, Arena.Gates.OFF, arena -> watching(arena, scenario, tables));
            Trial trial = new Trial(arenas, base, Scopes.impossible(scenario));
            List<Attempt> attempts = new ArrayList<>();
            List<Blueprint> blueprints = new Catalogue(invariants, tables).blueprints();
            for (Blueprint blueprint : blueprints) {
                if (which.test(blueprint.candidate())) {
                    attempts.add(time -> trial.of(blueprint, scenario, time));
                }
            }
            for (int i = 0; i < scenario.repairs().size(); i++) {
                Repair repair = scenario.repairs().get(i);
                Candidate candidate = ofTheUser(repair, i + 1);
                if (which.test(candidate)) {
                    attempts.add(time -> trial.of(repair, candidate, time));
                }
            }
            return new Tried(base, all(attempts, patience.next()), invariants, blueprints);
        }
    }

    /** Tries one candidate. */
    @FunctionalInterface
    private interface Attempt {
        CandidateResult within(Bounds time) throws SQLException;
    }

    private List<CandidateResult> all(List<Attempt> attempts, Bounds time) throws SQLException {
        Patience patience = new Patience(time, attempts.size(), workers.number());
        return workers.all(attempts.stream()
                .<Workers.Task<CandidateResult>>map(attempt -> () -> attempt.within(patience.next()))
                .toList());
    }

    /** What was measured, or why not. */
    private record Priced(Optional<Prices> prices, Optional<String> note) {
        static final Priced NOT_ASKED = new Priced(Optional.empty(), Optional.empty());

        static Priced not(String reason) {
            return new Priced(Optional.empty(), Optional.of(reason));
        }
    }

    private Priced priced(Scenario scenario, Tried tried, Measuring how) throws SQLException {
        List<String> notes = new ArrayList<>();
        List<Contestant> holding = holding(scenario, tried, notes);
        if (holding.isEmpty()) {
            return notes.isEmpty() ? Priced.NOT_ASKED : Priced.not(String.join("; ", notes));
        }
        if (tried.base().deadlocking() > 0) {
            return Priced.not("the calls of the file as it stands deadlock, and nothing can be compared with that");
        }
        try {
            return new Priced(
                    Optional.of(Pricing.of(server, scenario, holding, how, progress, notes)), Optional.empty());
        } catch (Pricing.NotMeasurable e) {
            return Priced.not(String.valueOf(e.getMessage()));
        } catch (SQLException e) {
            if (isServerGone(e)) {
                throw e;
            }
            return Priced.not(String.valueOf(e.getMessage()));
        }
    }

    /** Classes 08 (connection) and 57 (ended by an operator): what was found must not hide that. */
    private static boolean isServerGone(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().matches("(08|57).*");
    }

    /** {@return those that hold at the level that a recommendation speaks of, in the order of the table} */
    private static List<Contestant> holding(Scenario scenario, Tried tried, List<String> notes) {
        List<Contestant> holding = new ArrayList<>();
        for (CandidateResult result : tried.results()) {
            Optional<Cell> cell = result.cellFor(scenario).filter(Cell::holds);
            cell.flatMap(held -> contestant(scenario, tried, result, held, notes))
                    .ifPresent(holding::add);
        }
        return holding;
    }

    private static Optional<Contestant> contestant(
            Scenario scenario, Tried tried, CandidateResult result, Cell held, List<String> notes) {
        Scenario explored = held.result().scenario();
        String id = result.candidate().id();
        if (held.result().deadlocking() > 0) {
            notes.add(id + ": calls deadlock, and each deadlock takes as long as the server's deadlock_timeout says");
            return Optional.empty();
        }
        if (result.candidate().kind() == Candidate.Kind.USER) {
            if (!explored.runs().equals(scenario.runs())) {
                notes.add(id + ": it has runs of its own, which are other calls than those of the file");
                return Optional.empty();
            }
            return Optional.of(new Contestant(id, of -> ofTheUser(explored, scenario, of)));
        }
        return tried.blueprints().stream()
                .filter(blueprint -> blueprint.candidate().equals(result.candidate()))
                .findFirst()
                .map(blueprint -> new Contestant(id, of -> {
                    Scenario built = blueprint.builder().build(of).withIsolation(Isolation.ofSql(held.isolation()));
                    return blueprint.touchesGuardRows() ? GuardRows.in(built, tried.invariants()) : built;
                }));
    }

    /** What was added to the file's setup comes behind that of the user's repair. */
    private static Scenario ofTheUser(Scenario repaired, Scenario before, Scenario multiplied) {
        String added = multiplied.setupAddedTo(before);
        return added.isEmpty() ? repaired : repaired.withSetupAppended(added);
    }

    /**
     * Asks which tables the invariants of plain SQL read, as the guards of such an invariant watch them all.
     *
     * @param server where a scratch database is made, if any is needed
     * @param scenario the scenario
     * @return its invariants in the file's order, each with watches where it needs some
     * @throws SQLException if the server cannot do it
     */
    public static List<Invariant> guardable(Server server, Scenario scenario) throws SQLException {
        boolean known = scenario.invariants().stream()
                .noneMatch(invariant -> invariant.rule() instanceof Rule.ViolatedBy rule
                        && rule.watches().isEmpty());
        if (known) {
            return scenario.invariants();
        }
        try (Arena arena = Arena.open(server, scenario)) {
            return watching(arena, scenario, new TreeSet<>());
        }
    }

    /** {@return the invariants, each with watches where it needs some; all tables that they read are added} */
    private static List<Invariant> watching(Arena arena, Scenario scenario, Set<String> tables) throws SQLException {
        List<Invariant> watching = new ArrayList<>();
        for (Invariant invariant : scenario.invariants()) {
            List<String> read = arena.tablesOf(invariant.violationSql());
            tables.addAll(read);
            watching.add(Catalogue.withWatches(invariant, read));
        }
        return watching;
    }

    private static void needInvariants(Scenario scenario) {
        if (scenario.invariants().isEmpty()) {
            throw new ScenarioException(List.of(new Problem(
                    scenario.file(),
                    Position.generated(""),
                    "\"invariant\" is missing: repairs are built from what must hold. Without it, only check can explore"
                            + " the file, and each of its own repairs with --repair NAME")));
        }
    }

    /**
     * Lists what can be tried.
     *
     * @param scenario the scenario
     * @return every candidate, in the order of a report; some may turn out not to be buildable
     * @throws ScenarioException if the scenario has no invariant
     */
    public static List<Candidate> candidates(Scenario scenario) {
        needInvariants(scenario);
        List<Candidate> candidates = new ArrayList<>();
        new Catalogue(scenario.invariants(), Set.of())
                .blueprints()
                .forEach(blueprint -> candidates.add(blueprint.candidate()));
        for (int i = 0; i < scenario.repairs().size(); i++) {
            candidates.add(ofTheUser(scenario.repairs().get(i), i + 1));
        }
        return candidates;
    }

    private static Candidate ofTheUser(Repair repair, int number) {
        return new Candidate("user-" + number, repair.name(), Candidate.Kind.USER, "as the file's repairs say");
    }

    /** All of a scenario that an answer depends on. */
    private record Question(
            String setup,
            Map<String, TransactionSpec> transactions,
            List<Run> runs,
            List<Invariant> invariants,
            Goal goal) {
        Question(Scenario scenario, Goal goal) {
            this(scenario.setup(), scenario.transactions(), scenario.runs(), scenario.invariants(), goal);
        }
    }

    /** Tries candidates against one scenario as it stands. Used by several threads. */
    private final class Trial {
        private final Arenas arenas;
        private final CheckResult base;
        private final Optional<String> oneScopeOnly;

        /** What was found already: a repair of the user's is often one of ours. */
        private final Map<Question, CheckResult> results = new ConcurrentHashMap<>();

        private final Map<Question, GatedPass> passes = new ConcurrentHashMap<>();

        Trial(Arenas arenas, CheckResult base, Optional<String> oneScopeOnly) {
            this.arenas = arenas;
            this.base = base;
            this.oneScopeOnly = oneScopeOnly;
        }

        CandidateResult of(Blueprint blueprint, Scenario scenario, Bounds time) throws SQLException {
            Patience patience = new Patience(time, blueprint.levels().size() + 1, 1);
            try {
                Scenario repaired = blueprint.builder().build(scenario);
                List<Cell> cells = new ArrayList<>();
                for (Isolation level : blueprint.levels()) {
                    Scenario leveled = repaired.withIsolation(level);
                    CheckResult result = check(leveled, Goal.FIRST_VIOLATION, patience.next());
                    cells.add(new Cell(
                            level.sql(),
                            result,
                            newSqlStates(result),
                            Optional.empty(),
                            isAtStake(level, blueprint, scenario)
                                    ? inside(leveled, result, patience.left())
                                    : Optional.empty()));
                }
                return new CandidateResult(
                        blueprint.candidate(),
                        Optional.empty(),
                        cells,
                        blocks(blueprint, scenario, cells, patience.left()),
                        OptionalInt.of(extraStatements(scenario, repaired)));
            } catch (NotBuildable e) {
                return notBuilt(blueprint.candidate(), String.valueOf(e.getMessage()));
            } catch (ScenarioSqlException e) {
                return notBuilt(blueprint.candidate(), e.problem());
            }
        }

        private CheckResult check(Scenario repaired, Goal goal, Bounds time) throws SQLException {
            Question question = new Question(repaired, goal);
            @Nullable CheckResult known = results.get(question);
            if (known == null) {
                Checker within = checker.within(time);
                known = arenas.with(repaired, Arena.Gates.OFF, arena -> within.check(arena, repaired, goal));
                results.put(question, known);
            }
            return known;
        }

        private CandidateResult notBuilt(Candidate candidate, String reason) {
            return new CandidateResult(
                    candidate, Optional.of(reason), List.of(), Optional.empty(), OptionalInt.empty());
        }

        CandidateResult of(Repair repair, Candidate candidate, Bounds time) throws SQLException {
            Patience patience = new Patience(time, 1, 1);
            Goal goal = repair.expect().map(Judgement::goal).orElse(Goal.FIRST_VIOLATION);
            CheckResult result = check(repair.repaired(), goal, patience.next());
            Cell cell = new Cell(
                    "as declared",
                    result,
                    newSqlStates(result),
                    repair.expect(),
                    inside(repair.repaired(), result, patience.left()));
            return new CandidateResult(
                    candidate, Optional.empty(), List.of(cell), Optional.empty(), OptionalInt.empty());
        }

        /** The level that the scenario has, or that the candidate brings: what a recommendation speaks of. */
        private boolean isAtStake(Isolation level, Blueprint blueprint, Scenario scenario) {
            return blueprint.levels().size() == 1
                    || scenario.transactions().values().stream().anyMatch(spec -> spec.isolation() == level);
        }

        /** What holds between statements is tried inside of them too. */
        private Optional<GatedPass> inside(Scenario repaired, CheckResult result, Bounds time) throws SQLException {
            if (inside == Inside.SKIPPED || result.verdict() != Verdict.HOLDS || result.committing() == 0) {
                return Optional.empty();
            }
            Question question = new Question(repaired, Goal.FIRST_VIOLATION);
            @Nullable GatedPass known = passes.get(question);
            if (known == null) {
                known = arenas.with(
                        repaired,
                        Arena.Gates.ON,
                        gated -> arenas.with(
                                repaired,
                                Arena.Gates.OFF,
                                free -> checker.within(time).checkInside(gated, repaired, free)));
                passes.put(question, known);
            }
            return Optional.of(known);
        }

        private SortedSet<String> newSqlStates(CheckResult result) {
            SortedSet<String> states = new TreeSet<>(result.sqlStates());
            states.removeAll(base.sqlStates());
            return states;
        }

        /** At the first level where it holds: whether any schedule of two scopes makes one wait for the other. */
        private Optional<Boolean> blocks(Blueprint blueprint, Scenario scenario, List<Cell> cells, Bounds time)
                throws SQLException, NotBuildable {
            Optional<Cell> holding = cells.stream().filter(Cell::holds).findFirst();
            if (holding.isEmpty() || oneScopeOnly.isPresent()) {
                return Optional.empty();
            }
            Isolation level = blueprint.levels().get(cells.indexOf(holding.orElseThrow()));
            Scenario repaired = blueprint.builder().build(TwoScopes.of(scenario));
            CheckResult result = check(repaired.withIsolation(level), Goal.FIRST_WAIT, time);
            if (result.waiting() > 0) {
                return Optional.of(true);
            }
            return result.complete() && result.reasons().isEmpty() ? Optional.of(false) : Optional.empty();
        }
    }

    private static int extraStatements(Scenario before, Scenario after) {
        return (int) after.transactions().values().stream()
                .mapToLong(transaction -> Steps.statements(transaction)
                        - Steps.statements(
                                Objects.requireNonNull(before.transactions().get(transaction.name()))))
                .max()
                .orElse(0);
    }
}

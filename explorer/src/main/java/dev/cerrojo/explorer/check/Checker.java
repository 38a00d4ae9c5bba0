package dev.cerrojo.explorer.check;

import dev.cerrojo.explorer.database.Arena;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.schedule.ChoicePoint;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.Goal;
import dev.cerrojo.explorer.search.Helpers;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Sample;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Shard;
import dev.cerrojo.explorer.search.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Explores the runs of scenarios on a server. */
public final class Checker {
    /** A witness with fewer sessions is looked for no longer than this. */
    private static final Bounds MINIMIZING = new Bounds(2_000, Duration.ofSeconds(10));

    /** Gates multiply schedules; what they find, they mostly find early. */
    private static final Bounds INSIDE = new Bounds(500, Duration.ofSeconds(5));

    /** The moment from which a witness is lost is looked for no longer than this. */
    private static final Bounds DOOM = new Bounds(400, Duration.ofSeconds(5));

    private static final int FREE_TRIALS = 200;

    private final Server server;
    private final Bounds bounds;
    private final Progress progress;
    private final Plan plan;

    /** What is explored, and how. */
    private record Plan(
            Search.Mode mode, Arena.Comparison comparison, int workers, Shard shard, Optional<Sample> sample) {
        Plan comparing(Arena.Comparison other) {
            return new Plan(mode, other, workers, shard, sample);
        }

        Plan by(int number) {
            return new Plan(mode, comparison, number, shard, sample);
        }

        Plan only(Shard part) {
            return new Plan(mode, comparison, workers, part, sample);
        }

        Plan sampling(Sample some) {
            return new Plan(mode, comparison, workers, shard, Optional.of(some));
        }
    }

    /**
     * Makes a checker.
     *
     * @param server where scratch databases are made
     * @param bounds where a check gives up: all its runs together
     * @param mode whether schedules that cannot be told apart are run once or each
     * @param progress is told how each run's search goes
     */
    public Checker(Server server, Bounds bounds, Search.Mode mode, Progress progress) {
        this(server, bounds, progress, new Plan(mode, Arena.Comparison.NONE, 1, Shard.WHOLE, Optional.empty()));
    }

    private Checker(Server server, Bounds bounds, Progress progress, Plan plan) {
        this.server = server;
        this.bounds = bounds;
        this.progress = progress;
        this.plan = plan;
    }

    private Checker with(Plan other) {
        return new Checker(server, bounds, progress, other);
    }

    /**
     * Gives up earlier.
     *
     * @param nearer where too
     * @return a checker that does
     */
    public Checker within(Bounds nearer) {
        return new Checker(server, bounds.within(nearer), progress, plan);
    }

    /**
     * Compares each schedule with the serial orders of its sessions too; without, that is only done where a scenario has no
     * invariants.
     *
     * @return a checker that does
     */
    public Checker withSerialOrders() {
        return with(plan.comparing(Arena.Comparison.SERIAL_ORDERS_AND_ABORTS));
    }

    /**
     * Explores in several databases at once, where there are enough schedules.
     *
     * @param number in how many at most
     * @return a checker that does
     */
    public Checker withWorkers(int number) {
        return with(plan.by(number));
    }

    /**
     * Explores only a part of each run.
     *
     * @param part which
     * @return a checker that does
     */
    public Checker only(Shard part) {
        return with(plan.only(part));
    }

    /**
     * Runs some schedules of each run by chance: what is not found then is inconclusive.
     *
     * @param sample how many, and which
     * @return a checker that does
     */
    public Checker sampling(Sample sample) {
        return with(plan.sampling(sample));
    }

    /**
     * Checks a scenario.
     *
     * @param scenario the scenario
     * @param goal when to stop early; witnesses are only made as small as they can be when every schedule is run
     * @return what was found
     * @throws dev.cerrojo.explorer.database.ScenarioSqlException if PostgreSQL does not take its SQL
     * @throws SQLException if the server cannot do it
     */
    public CheckResult check(Scenario scenario, Goal goal) throws SQLException {
        try (Arena arena = Arena.open(server, scenario)) {
            return check(arena, scenario, goal);
        }
    }

    /**
     * Checks a scenario in an arena that is open.
     *
     * @param arena an arena of the same setup and invariants
     * @param scenario the scenario
     * @param goal when to stop early
     * @return what was found
     * @throws SQLException if the server cannot do it
     */
    public CheckResult check(Arena arena, Scenario scenario, Goal goal) throws SQLException {
        long started = System.nanoTime();
        long schedules = 0;
        List<RunResult> results = new ArrayList<>();
        for (int i = 0; i < scenario.runs().size(); i++) {
            Run run = scenario.runs().get(i);
            Subject subject = arena.subject(scenario, run, Arena.Fingerprints.OFF, plan.comparison());
            Bounds left = left(started, schedules);
            Search search = plan.sample()
                    .map(sample -> Search.byChance(subject, sample, left, goal, progress))
                    .orElseGet(() -> new Search(subject, left, goal, plan.mode(), progress).only(plan.shard()));
            Exploration exploration = search.run(new MoreArenas(scenario, run));
            schedules += exploration.schedules();
            Bounds rest = new Bounds(Long.MAX_VALUE, bounds.since(started).timeout());
            results.add(new RunResult(
                    i + 1, run, exploration, witness(arena, scenario, i + 1, run, exploration, goal, rest)));
            if (!exploration.exhausted() && exploration.reason().isEmpty()) {
                return new CheckResult(scenario, results, false, plan.shard());
            }
        }
        return new CheckResult(scenario, results, true, plan.shard());
    }

    /**
     * Checks a scenario whose statement-level check holds once more, with gates inside its statements and COMMITs. A
     * violation is confirmed by running the sessions freely.
     *
     * @param scenario the scenario
     * @param free an arena of the same setup and invariants, without gates
     * @return what was found
     * @throws SQLException if the server cannot do it
     */
    public GatedPass checkInside(Scenario scenario, Arena free) throws SQLException {
        try (Arena gated = Arena.open(server, scenario, Arena.Gates.ON)) {
            return checkInside(gated, scenario, free);
        }
    }

    /**
     * The same, in a gated arena that is open.
     *
     * @param gated an arena of the same setup and invariants, with gates
     * @param scenario the scenario
     * @param free another, without gates
     * @return what was found
     * @throws SQLException if the server cannot do it
     */
    public GatedPass checkInside(Arena gated, Scenario scenario, Arena free) throws SQLException {
        CheckResult result = new Checker(server, bounds.within(INSIDE), plan.mode(), progress)
                .check(gated, scenario, Goal.FIRST_VIOLATION);
        Optional<RunResult> violating = result.shortestWitness();
        if (violating.isEmpty()) {
            return new GatedPass(result, 0, 0);
        }
        int violations = free.freeViolations(scenario, violating.orElseThrow().run(), FREE_TRIALS);
        return new GatedPass(result, FREE_TRIALS, violations);
    }

    private Bounds left(long started, long schedules) {
        Bounds left = bounds.since(started);
        return new Bounds(Math.max(1, left.maxSchedules() - schedules), left.timeout());
    }

    private Optional<RunResult.Witness> witness(
            Arena arena, Scenario scenario, int number, Run run, Exploration exploration, Goal goal, Bounds rest)
            throws SQLException {
        if (exploration.witness().isEmpty()) {
            return Optional.empty();
        }
        Execution found = exploration.witness().orElseThrow();
        if (goal == Goal.EVERY_SCHEDULE && !exploration.serialViolation()) {
            Optional<RunResult.Witness> smaller = withFewerSessions(arena, scenario, number, run, found, rest);
            if (smaller.isPresent()) {
                return smaller;
            }
        }
        ReplayToken token = ReplayToken.of(number, List.of(), found.trace());
        return Optional.of(new RunResult.Witness(run, token, found));
    }

    /** Drops sessions as long as the same invariant is still violated, and not already when they run one by one. */
    private Optional<RunResult.Witness> withFewerSessions(
            Arena arena, Scenario scenario, int number, Run run, Execution found, Bounds rest) throws SQLException {
        long started = System.nanoTime();
        int all = run.sessions().size();
        for (int size = 2; size < all; size++) {
            for (int subset = 0; subset < 1 << all; subset++) {
                if (Integer.bitCount(subset) != size) {
                    continue;
                }
                List<Integer> sessions = members(subset, all);
                Run smaller = new Run(sessions.stream().map(run.sessions()::get).toList(), run.at());
                Exploration exploration = new Search(
                                arena.subject(scenario, smaller),
                                MINIMIZING.within(rest.since(started)),
                                Goal.FIRST_VIOLATION,
                                plan.mode(),
                                progress)
                        .run();
                Optional<Execution> same = exploration
                        .witness()
                        .filter(witness -> !exploration.serialViolation() && isSameFailure(witness, found));
                if (same.isPresent()) {
                    Execution witness = same.orElseThrow();
                    ReplayToken token = ReplayToken.of(number, sessions, witness.trace());
                    return Optional.of(new RunResult.Witness(smaller, token, witness));
                }
            }
        }
        return Optional.empty();
    }

    private static List<Integer> members(int subset, int all) {
        List<Integer> members = new ArrayList<>();
        for (int i = 0; i < all; i++) {
            if ((subset & 1 << i) != 0) {
                members.add(i);
            }
        }
        return members;
    }

    private static boolean isSameFailure(Execution one, Execution other) {
        return one.violations()
                .get(0)
                .invariant()
                .equals(other.violations().get(0).invariant());
    }

    /**
     * Runs one schedule again.
     *
     * @param scenario the scenario
     * @param token which schedule of which run
     * @return the run's sessions that took part, and what was seen
     * @throws IllegalArgumentException if the scenario has no such run or session
     * @throws dev.cerrojo.explorer.schedule.Diverged if the schedule cannot be followed, with the step
     * @throws SQLException if the server cannot do it
     */
    public RunResult.Witness replay(Scenario scenario, ReplayToken token) throws SQLException {
        if (token.run() < 1 || token.run() > scenario.runs().size()) {
            throw new IllegalArgumentException(
                    "the run to replay must be 1 to " + scenario.runs().size() + ", but was " + token.run());
        }
        Run run = token.of(scenario.runs().get(token.run() - 1));
        try (Arena arena = Arena.open(server, scenario)) {
            Subject subject = arena.subject(scenario, run, Arena.Fingerprints.OFF, Arena.Comparison.SERIAL_ORDERS);
            Execution execution = Search.replay(subject, token.schedule().choices(), token.course());
            return new RunResult.Witness(
                    run, ReplayToken.of(token.run(), token.sessions(), execution.trace()), execution);
        }
    }

    /**
     * Finds the moment from which a witness is lost, by running every other way in which its sessions could have gone on.
     *
     * @param scenario the scenario
     * @param witness a violating schedule of it
     * @return the moment; empty when there were too many ways to go on, or one could not be run
     * @throws SQLException if the server cannot do it
     */
    public Optional<Doom> doom(Scenario scenario, RunResult.Witness witness) throws SQLException {
        try (Arena arena = Arena.open(server, scenario)) {
            return doom(
                    arena.subject(scenario, witness.run()),
                    witness.execution().trace().points());
        }
    }

    /** From its end to its start: what can follow grows, so that what is undecided once is undecided before, too. */
    private Optional<Doom> doom(Subject subject, List<ChoicePoint> points) {
        long started = System.nanoTime();
        Optional<Doom> doom = Optional.empty();
        for (int after = points.size(); after >= 0; after--) {
            Exploration rest = Search.after(
                            subject,
                            points.subList(0, after),
                            DOOM.since(started),
                            Goal.FIRST_WITHOUT_VIOLATION,
                            progress)
                    .run();
            if (rest.schedules() > rest.violating()) {
                return doom;
            }
            if (!rest.exhausted()) {
                return Optional.empty();
            }
            doom = Optional.of(new Doom(after, rest.schedules()));
        }
        return doom;
    }

    /** The same run in databases of their own. */
    private final class MoreArenas implements Helpers {
        private final Scenario scenario;
        private final Run run;

        MoreArenas(Scenario scenario, Run run) {
            this.scenario = scenario;
            this.run = run;
        }

        @Override
        public int most() {
            return plan.workers() - 1;
        }

        @Override
        public void lend(Consumer<Subject> use) throws SQLException {
            try (Arena arena = Arena.open(server, scenario)) {
                use.accept(arena.subject(scenario, run, Arena.Fingerprints.OFF, plan.comparison()));
            }
        }
    }
}

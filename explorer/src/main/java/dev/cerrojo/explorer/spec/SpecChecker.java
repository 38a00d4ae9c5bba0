package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.Goal;
import dev.cerrojo.explorer.search.Helpers;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Explores specifications on a server: every order of their steps, also where a file lists some by hand. */
public final class SpecChecker {
    private final Server server;
    private final Bounds bounds;
    private final Search.Mode mode;
    private final Progress progress;
    private final int workers;

    /**
     * Makes a checker.
     *
     * @param server where scratch databases are made
     * @param bounds where a check gives up: all programs together
     * @param mode whether schedules that cannot be told apart are run once or each
     * @param progress is told how each search goes
     */
    public SpecChecker(Server server, Bounds bounds, Search.Mode mode, Progress progress) {
        this(server, bounds, mode, progress, 1);
    }

    private SpecChecker(Server server, Bounds bounds, Search.Mode mode, Progress progress, int workers) {
        this.server = server;
        this.bounds = bounds;
        this.mode = mode;
        this.progress = progress;
        this.workers = workers;
    }

    /**
     * Explores in several databases at once, where there are enough schedules, and where the specification neither changes nor
     * looks at what databases have in common, such as roles.
     *
     * @param number in how many at most
     * @return a checker that does
     */
    public SpecChecker withWorkers(int number) {
        return new SpecChecker(server, bounds, mode, progress, number);
    }

    /**
     * Explores a specification.
     *
     * @param spec the specification
     * @return what was found
     * @throws dev.cerrojo.explorer.database.ScenarioSqlException if PostgreSQL does not take a setup
     * @throws SQLException if the server cannot do it
     */
    public SpecResult check(Spec spec) throws SQLException {
        long started = System.nanoTime();
        long schedules = 0;
        List<SpecResult.OfProgram> found = new ArrayList<>();
        List<SpecProgram> programs = spec.programs();
        try (SpecBench bench = SpecBench.make(server, spec)) {
            for (SpecProgram program : programs) {
                SpecResult.OfProgram one = explore(bench, spec, program, left(started, schedules));
                found.add(one);
                schedules += one.exploration().schedules();
                if (!one.exploration().exhausted()) {
                    break;
                }
            }
        }
        return new SpecResult(spec, found, found.size() == programs.size());
    }

    private SpecResult.OfProgram explore(SpecBench bench, Spec spec, SpecProgram program, Bounds left) {
        SpecSubject subject = bench.subject(program);
        subject.ignoreUnrepeatable();
        MoreBenches more = new MoreBenches(spec, program, subject);
        Exploration exploration = new Search(subject, left, Goal.EVERY_SCHEDULE, mode, progress).run(more);
        List<String> doubts = Stream.of(
                        subject.reservations().stream(), more.reservations.stream(), timeouts(spec).stream())
                .flatMap(doubt -> doubt)
                .distinct()
                .toList();
        return new SpecResult.OfProgram(program, exploration, doubts);
    }

    private static Optional<String> timeouts(Spec spec) {
        return spec.setsTimeout()
                ? Optional.of("the sessions may set timeouts, and what a timeout ends depends on the time it takes")
                : Optional.empty();
    }

    /** The same program in databases of their own. */
    private final class MoreBenches implements Helpers {
        private final Spec spec;
        private final SpecProgram program;
        private final SpecSubject first;
        private final Set<String> reservations = Collections.synchronizedSet(new LinkedHashSet<>());

        MoreBenches(Spec spec, SpecProgram program, SpecSubject first) {
            this.spec = spec;
            this.program = program;
            this.first = first;
        }

        @Override
        public int most() {
            return spec.staysInItsDatabase() ? workers - 1 : 0;
        }

        @Override
        public void lend(Consumer<Subject> use) throws SQLException {
            try (SpecBench bench = SpecBench.make(server, spec)) {
                SpecSubject subject = bench.subject(program);
                subject.ignoreAlso(first);
                subject.ignoreUnrepeatable();
                try {
                    use.accept(subject);
                } finally {
                    reservations.addAll(subject.reservations());
                }
            }
        }
    }

    private Bounds left(long started, long schedules) {
        Duration time = bounds.timeout().minus(Duration.ofNanos(System.nanoTime() - started));
        return new Bounds(
                Math.max(1, bounds.maxSchedules() - schedules),
                time.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : time);
    }

    /**
     * Runs one schedule again.
     *
     * @param spec the specification
     * @param token which schedule of which program
     * @return what was seen
     * @throws IllegalArgumentException if there is no such program
     * @throws dev.cerrojo.explorer.schedule.Diverged if the schedule cannot be followed, with the step
     * @throws SQLException if the server cannot do it
     */
    public SpecResult.Shown replay(Spec spec, ReplayToken token) throws SQLException {
        List<SpecProgram> programs = spec.programs();
        if (token.run() < 1
                || token.run() > programs.size()
                || !token.sessions().isEmpty()) {
            throw new IllegalArgumentException("the schedule to replay must be of program 1 to " + programs.size()
                    + " and of all its sessions, but was " + token);
        }
        SpecProgram program = programs.get(token.run() - 1);
        try (SpecBench bench = SpecBench.make(server, spec)) {
            Execution execution =
                    Search.replay(bench.plainSubject(program), token.schedule().choices(), token.course());
            return new SpecResult.Shown(program, ReplayToken.of(token.run(), List.of(), execution.trace()), execution);
        }
    }
}

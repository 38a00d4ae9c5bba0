package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.database.ConnectionLostException;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.search.AbortQuestion;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.Goal;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Subject;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Explores specifications on a server: every order of their steps, also where a file lists some by hand. */
public final class SpecChecker {
    private final Server server;
    private final Bounds bounds;
    private final Search.Mode mode;
    private final Progress progress;

    /**
     * Makes a checker.
     *
     * @param server where scratch databases are made
     * @param bounds where a check gives up: all programs together
     * @param mode whether schedules that cannot be told apart are run once or each
     * @param progress is told how each search goes
     */
    public SpecChecker(Server server, Bounds bounds, Search.Mode mode, Progress progress) {
        this.server = server;
        this.bounds = bounds;
        this.mode = mode;
        this.progress = progress;
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
        try (SpecArena arena = SpecArena.open(server, spec)) {
            for (SpecProgram program : programs) {
                SpecResult.OfProgram one = explore(arena, spec, program, left(started, schedules));
                found.add(one);
                schedules += one.exploration().schedules();
                if (!one.exploration().exhausted()) {
                    break;
                }
            }
        }
        return new SpecResult(spec, found, found.size() == programs.size());
    }

    private SpecResult.OfProgram explore(SpecArena arena, Spec spec, SpecProgram program, Bounds left)
            throws SQLException {
        try (RepeatableRead twin = new RepeatableRead(server, spec, program)) {
            Optional<Supplier<Subject>> other = spec.isSerializable() ? Optional.of(twin::subject) : Optional.empty();
            SpecSubject subject = new SpecSubject(arena, program, new AbortQuestion(other));
            List<String> notCompared = subject.ignoreUnrepeatable();
            Exploration exploration = new Search(subject, left, Goal.EVERY_SCHEDULE, mode, progress).run();
            List<String> doubts = Stream.of(notCompared.stream(), subject.undecided().stream(), timeouts(spec).stream())
                    .flatMap(doubt -> doubt)
                    .toList();
            return new SpecResult.OfProgram(program, exploration, doubts);
        }
    }

    private static Optional<String> timeouts(Spec spec) {
        return spec.setsTimeout()
                ? Optional.of("the sessions may set timeouts, and what a timeout ends depends on the time it takes")
                : Optional.empty();
    }

    /** The same program in a database of its own, at another level. */
    private static final class RepeatableRead implements AutoCloseable {
        private final Server server;
        private final Spec spec;
        private final SpecProgram program;
        private @Nullable SpecArena arena;

        RepeatableRead(Server server, Spec spec, SpecProgram program) {
            this.server = server;
            this.spec = spec;
            this.program = program;
        }

        Subject subject() {
            try {
                SpecArena open = SpecArena.open(server, spec.withIsolation(Isolation.REPEATABLE_READ));
                arena = open;
                return new SpecSubject(
                        open, program.isolated(Isolation.REPEATABLE_READ), new AbortQuestion(Optional.empty()));
            } catch (SQLException e) {
                throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
            }
        }

        @Override
        public void close() throws SQLException {
            if (arena != null) {
                arena.close();
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
        try (SpecArena arena = SpecArena.open(server, spec)) {
            Execution execution = Search.replay(
                    new SpecSubject(arena, program, new AbortQuestion(Optional.empty())),
                    token.schedule().choices(),
                    token.course());
            return new SpecResult.Shown(program, ReplayToken.of(token.run(), List.of(), execution.trace()), execution);
        }
    }
}

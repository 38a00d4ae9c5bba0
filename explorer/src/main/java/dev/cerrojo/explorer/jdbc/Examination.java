package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.database.UserDatabase;
import dev.cerrojo.explorer.jdbc.Interleavings.Question;
import dev.cerrojo.explorer.report.Look;
import dev.cerrojo.explorer.report.ScheduleText;
import dev.cerrojo.explorer.schedule.Chooser;
import dev.cerrojo.explorer.schedule.Diverged;
import dev.cerrojo.explorer.schedule.Fault;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.Scheduler;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.schedule.TraceEvent;
import dev.cerrojo.explorer.schedule.Unsettled;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.Goal;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Violation;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The exploration of one race. */
final class Examination {
    /** A witness with fewer sessions is looked for no longer than this. */
    private static final Bounds MINIMIZING = new Bounds(2_000, Duration.ofSeconds(10));

    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final Interleavings race;
    private final GatedDataSource source;
    private final Interleavings.Settings settings;
    private final List<String> names;

    Examination(Interleavings race, GatedDataSource source, Interleavings.Settings settings) {
        this.race = race;
        this.source = source;
        this.settings = settings;
        this.names = List.copyOf(race.sessions().keySet());
    }

    Findings findings() {
        try (UserDatabase database = UserDatabase.over(source.real().getConnection());
                Scheduler scheduler = new Scheduler(database.monitor(), Scheduler.Settings.standard())) {
            if (race.ownReset().isEmpty()) {
                keepStartState(database);
            }
            return new Laboratory(database, scheduler).findings();
        } catch (SQLException e) {
            throw new NotExplorableException("the database could not be asked: " + e.getMessage(), e);
        }
    }

    private void keepStartState(UserDatabase database) throws SQLException {
        if (!database.isDisposable(race.disposables())) {
            String name = database.name();
            throw new NotExplorableException(
                    "the database \"" + name + "\" is not known to be disposable: after each schedule"
                            + " all its tables would be put back to what they hold now. Say that they may: .disposable(\""
                            + name
                            + "\"), or -Dcerrojo.disposable=" + name + "; or give a .reset(…) of your own");
        }
        database.keepStartState();
    }

    /** What an exploration needs, for as long as it lasts. */
    private final class Laboratory {
        private final UserDatabase database;
        private final Scheduler scheduler;
        private final List<JavaSession> sessions = new ArrayList<>();
        private final StartState start;
        private final Optional<SerialQuestion> serial;
        private final long began = System.nanoTime();
        private Mode mode;
        private Set<String> coarse = Set.of();

        Laboratory(UserDatabase database, Scheduler scheduler) throws SQLException {
            this.database = database;
            this.scheduler = scheduler;
            this.start = new StartState(database);
            this.mode = Mode.unknown(
                    settings.mode() == Search.Mode.REDUCED && settings.sample().isEmpty());
            boolean asksSerial =
                    race.questions().stream().anyMatch(question -> question.kind() instanceof Question.Serializable);
            this.serial = asksSerial ? Optional.of(new SerialQuestion(database)) : Optional.empty();
            JavaSession.Circumstances circumstances = new JavaSession.Circumstances(
                    source,
                    database,
                    race.refusals(),
                    serial.map(SerialQuestion::columns),
                    race.faults(),
                    race.isRunAgain());
            race.sessions().forEach((name, body) -> sessions.add(new JavaSession(name, body, circumstances)));
        }

        Findings findings() {
            warmUp();
            if (settings.replay().isPresent()) {
                return replayed(settings.replay().orElseThrow());
            }
            Exploration exploration = fitting(this::explored);
            Mode whole = mode;
            failIfPastGates();
            Sentences sentences = sentences(names.size(), coarse);
            if (exploration.witness().isEmpty()) {
                return sentences.findings(exploration, whole.reduced(), database.version(), Optional.empty());
            }
            Execution witness = exploration.witness().orElseThrow();
            Findings.Example example =
                    smaller(exploration, witness).orElseGet(() -> example(whole, List.of(), witness));
            return sentences.findings(exploration, whole.reduced(), database.version(), Optional.of(example));
        }

        /** Code does some things once only, and keeps what it learned: its first run is no part of the race. */
        private void warmUp() {
            fitting(() -> {
                JavaSubject unasked = new JavaSubject(
                        sessions,
                        source,
                        database,
                        scheduler,
                        start,
                        List.of(),
                        Optional.empty(),
                        mode,
                        Fault.Budget.NONE);
                try {
                    return Optional.of(unasked.execute(Chooser.FIRST));
                } catch (Unsettled notToday) {
                    return Optional.empty();
                }
            });
        }

        /** Starts again, when code turns out not to fit the mode. */
        private <T> T fitting(java.util.function.Supplier<T> attempt) {
            while (true) {
                try {
                    return attempt.get();
                } catch (Mode.Unfit e) {
                    mode = e.better();
                }
            }
        }

        private Exploration explored() {
            JavaSubject whole = subject(sessions);
            Exploration exploration = search(whole).run();
            coarse = whole.coarse();
            return exploration;
        }

        private Search search(JavaSubject whole) {
            return settings.sample().isPresent()
                    ? Search.byChance(
                            whole, settings.sample().orElseThrow(), left(), Goal.EVERY_SCHEDULE, Progress.SILENT)
                    : new Search(whole, left(), Goal.EVERY_SCHEDULE, settings.mode(), Progress.SILENT);
        }

        private Sentences sentences(int members, Set<String> notEveryStatement) {
            return new Sentences(race.questions(), members, notEveryStatement, race.faults(), settings.sample());
        }

        private Bounds left() {
            Duration left = settings.bounds().timeout().minusNanos(System.nanoTime() - began);
            return new Bounds(settings.bounds().maxSchedules(), left.compareTo(SHORTEST) < 0 ? SHORTEST : left);
        }

        private JavaSubject subject(List<JavaSession> some) {
            return new JavaSubject(
                    some, source, database, scheduler, start, oracles(), forSessions(some), mode, race.faults());
        }

        /** Serial orders are of the sessions that take part. */
        private Optional<SerialQuestion> forSessions(List<JavaSession> some) {
            return serial.map(question -> some.size() == sessions.size() ? question : question.ofOthers());
        }

        private void failIfPastGates() {
            for (JavaSession session : sessions) {
                if (!session.everSeen()) {
                    throw new NotExplorableException("session " + session.letter() + " (" + session.name()
                            + ") never took a step: its code does not use the race's data source, or runs on another"
                            + " thread. Give it race.dataSource(), or wrap the data source of its context with"
                            + " GatedDataSource.around(…)");
                }
            }
        }

        /** Drops sessions as long as the same is still violated, and not already when they run one by one. */
        private Optional<Findings.Example> smaller(Exploration whole, Execution found) {
            int all = sessions.size();
            for (int size = 2; size < all && !whole.serialViolation(); size++) {
                for (int subset = 0; subset < 1 << all; subset++) {
                    if (Integer.bitCount(subset) == size) {
                        Optional<Findings.Example> example = violating(members(subset, all), found);
                        if (example.isPresent()) {
                            return example;
                        }
                    }
                }
            }
            return Optional.empty();
        }

        private List<Integer> members(int subset, int all) {
            return IntStream.range(0, all)
                    .filter(i -> (subset & 1 << i) != 0)
                    .boxed()
                    .toList();
        }

        private Optional<Findings.Example> violating(List<Integer> members, Execution found) {
            Exploration exploration = fitting(() -> new Search(
                            subject(members.stream().map(sessions::get).toList()),
                            MINIMIZING,
                            Goal.FIRST_VIOLATION,
                            settings.mode(),
                            Progress.SILENT)
                    .run());
            return exploration
                    .witness()
                    .filter(witness -> !exploration.serialViolation() && isSameFailure(witness, found))
                    .map(witness -> example(mode, members, witness));
        }

        private Findings replayed(ReplayToken token) {
            List<Integer> members = token.sessions().isEmpty()
                    ? IntStream.range(0, sessions.size()).boxed().toList()
                    : token.sessions();
            if (members.get(members.size() - 1) >= sessions.size()) {
                throw new IllegalArgumentException("the race has " + sessions.size() + " sessions, but the schedule "
                        + token + " is of others: is it another test's?");
            }
            List<JavaSession> some = members.stream().map(sessions::get).toList();
            Execution execution = replayed(token, some);
            return sentences(some.size(), Set.of())
                    .replayed(example(mode, token.sessions(), execution), database.version());
        }

        private Execution replayed(ReplayToken token, List<JavaSession> some) {
            mode = Mode.replay(token.run());
            try {
                Execution execution =
                        Search.replay(subject(some), token.schedule().choices(), token.course());
                Replayed.compare(token.schedule(), execution.trace());
                return execution;
            } catch (Diverged e) {
                throw new NotExplorableException(
                        "the schedule " + token + " could not be followed: " + e.getMessage()
                                + ". Is it another test's, or has the code changed since?",
                        e);
            }
        }

        private Findings.Example example(Mode of, List<Integer> members, Execution execution) {
            List<String> shown =
                    members.isEmpty() ? names : members.stream().map(names::get).toList();
            Map<String, String> says = new LinkedHashMap<>();
            race.questions().forEach(question -> says.put(question.name(), question.says()));
            return new Findings.Example(
                    ReplayToken.of(of.number(), members, execution.trace()),
                    execution,
                    ScheduleText.of(shown, says, execution, Look.plain()));
        }

        private List<JavaSubject.Oracle> oracles() {
            List<JavaSubject.Oracle> oracles = new ArrayList<>();
            race.questions().stream()
                    .filter(question -> !(question.kind() instanceof Question.Serializable))
                    .forEach(question -> oracles.add(trace -> answer(question, trace)));
            return oracles;
        }

        private Optional<Violation> answer(Question question, Trace trace) throws SQLException {
            if (question.kind() instanceof Question.Rows rows) {
                return database.violation(question.name(), rows.query());
            } else if (question.kind() instanceof Question.Assertion assertion) {
                return violation(question.name(), assertion.code());
            } else if (question.kind() instanceof Question.Deadlocks) {
                return deadlock(question.name(), trace);
            } else if (question.kind() instanceof Question.Waits) {
                return waiting(question.name(), trace);
            }
            return failure(question.name(), trace);
        }
    }

    private static boolean isSameFailure(Execution one, Execution other) {
        return one.violations()
                .get(0)
                .invariant()
                .equals(other.violations().get(0).invariant());
    }

    private static Optional<Violation> violation(String name, SessionBody code) {
        try {
            code.run();
            return Optional.empty();
        } catch (AssertionError e) {
            return Optional.of(new Violation(
                    name,
                    List.of("assertion"),
                    List.of(List.of(String.valueOf(e.getMessage()).strip())),
                    1));
        } catch (Exception e) {
            throw new NotExplorableException("the assertion \"" + name + "\" threw " + e, e);
        }
    }

    private static Optional<Violation> deadlock(String name, Trace trace) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (TraceEvent event : trace.events()) {
            if (event instanceof TraceEvent.DeadlockFound found) {
                rows.add(List.of(letters(found.members()), letters(List.of(found.session())) + " fails with 40P01"));
            } else if (event instanceof TraceEvent.Ended ended && ended.outcome() instanceof Outcome.Stuck) {
                rows.add(List.of(letters(List.of(ended.session())), "waits for ever"));
            }
        }
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(new Violation(name, List.of("sessions", "what happens"), rows, rows.size()));
    }

    private static Optional<Violation> waiting(String name, Trace trace) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (TraceEvent event : trace.events()) {
            if (event instanceof TraceEvent.Waits waits) {
                rows.add(List.of(letters(List.of(waits.session())), letters(waits.blockers())));
            }
        }
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(new Violation(name, List.of("session", "waits for"), rows, rows.size()));
    }

    private static String letters(List<Integer> sessions) {
        StringBuilder letters = new StringBuilder();
        sessions.stream()
                .sorted()
                .forEach(
                        session -> letters.append(letters.isEmpty() ? "" : ", ").append((char) ('A' + session)));
        return letters.toString();
    }

    private static Optional<Violation> failure(String name, Trace trace) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (int i = 0; i < trace.outcomes().size(); i++) {
            if (trace.outcomes().get(i) instanceof Outcome.Failed failed) {
                rows.add(List.of(letters(List.of(i)), failed.sqlState(), failed.message()));
            }
        }
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(new Violation(name, List.of("session", "sqlstate", "message"), rows, rows.size()));
    }

    /** The user's reset, or ours. */
    private final class StartState implements JavaSubject.StartState {
        private final UserDatabase database;
        private boolean first = true;

        StartState(UserDatabase database) {
            this.database = database;
        }

        @Override
        public void before() throws SQLException {
            if (race.ownReset().isPresent()) {
                run("reset", race.ownReset().orElseThrow());
            } else if (first) {
                database.restore(true);
            }
            first = false;
            race.preparations().forEach(code -> run("beforeEach", code));
        }

        @Override
        public void after(boolean anew) throws SQLException {
            if (race.ownReset().isEmpty()) {
                database.restore(anew);
            }
        }

        private static void run(String what, SessionBody code) {
            try {
                code.run();
            } catch (Exception e) {
                throw new NotExplorableException("the code of " + what + " threw " + e, e);
            }
        }
    }
}

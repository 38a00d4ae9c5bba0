package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.schedule.Fault;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Sample;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.sql.SqlTemplate;
import dev.cerrojo.invariant.Invariant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A race: code of the user's that runs at once, in every order of its steps, and what must hold at the end of each.
 *
 * <pre>{@code
 * Interleavings race = new Interleavings();
 * DoctorService service = new DoctorService(race.over(pool).dataSource());
 * race.session("Ana leaves", () -> service.leave(1, "Ana"))
 *         .session("Ben leaves", () -> service.leave(1, "Ben"))
 *         .mayRefuse(LastDoctorException.class)
 *         .holds("SELECT id FROM shift WHERE NOT EXISTS (SELECT FROM on_call WHERE shift_id = id AND active)")
 *         .check();
 * }</pre>
 *
 * <p>Before each schedule all tables and sequences of the database are as they were when the exploration began; it must have
 * been named as {@linkplain #disposable disposable}. A session is the thread that runs it: what its code does on other threads
 * is refused. State in Java (caches, counters) is the user's to put back, with {@link #beforeEach}.
 *
 * <p>Used by one thread, once. What is asked for is checked by {@link #check()}, or found out by {@link #explore()}.
 */
public final class Interleavings {
    private static final int MOST_SESSIONS = 26;
    private static final int LONGEST_RULE = 200;

    /** Each more multiplies the schedules by their length. */
    private static final int MOST_FAULTS = 5;

    private final Settings settings;
    private final Map<String, SessionBody> sessions = new LinkedHashMap<>();
    private final List<Question> questions = new ArrayList<>();
    private final Set<Class<? extends Throwable>> mayRefuse = new HashSet<>();
    private final Set<String> disposable = new HashSet<>();
    private final List<SessionBody> beforeEach = new ArrayList<>();
    private Fault.Budget faults = Fault.Budget.NONE;
    private boolean clientRetries;
    private @Nullable SessionBody reset;
    private @Nullable GatedDataSource source;
    private @Nullable Findings findings;

    /**
     * What is asked.
     *
     * @param name what it is called in a report
     * @param says in words; may be empty
     * @param kind how it is asked
     */
    record Question(String name, String says, Kind kind) {
        /** How it is asked. */
        sealed interface Kind {}

        /** By a query of violating rows. */
        record Rows(String query) implements Kind {}

        /** By code that throws. */
        record Assertion(SessionBody code) implements Kind {}

        /** Whether a schedule deadlocks. */
        record Deadlocks() implements Kind {}

        /** Whether a schedule ends as no serial order does. */
        record Serializable() implements Kind {}

        /** Whether a session waits for another. */
        record Waits() implements Kind {}

        /** Whether a session ends with an error of PostgreSQL's. */
        record Failures() implements Kind {}
    }

    /**
     * How a race is explored.
     *
     * @param bounds where it gives up: the verdict is inconclusive then
     * @param mode whether schedules that cannot be told apart are run once or each
     * @param disposable names of databases whose rows may be put back
     * @param replay the one schedule to run, instead of all
     * @param sample the random schedules to run, instead of all; the verdict is inconclusive then, or violated
     */
    public record Settings(
            Bounds bounds,
            Search.Mode mode,
            Set<String> disposable,
            Optional<ReplayToken> replay,
            Optional<Sample> sample) {
        /** Copies the names. */
        public Settings {
            disposable = Set.copyOf(disposable);
        }

        /**
         * Settings without chance.
         *
         * @param bounds where it gives up: the verdict is inconclusive then
         * @param mode whether schedules that cannot be told apart are run once or each
         * @param disposable names of databases whose rows may be put back
         * @param replay the one schedule to run, instead of all
         */
        public Settings(Bounds bounds, Search.Mode mode, Set<String> disposable, Optional<ReplayToken> replay) {
            this(bounds, mode, disposable, replay, Optional.empty());
        }

        /** {@return 20,000 schedules or one minute, reduced} */
        public static Settings standard() {
            return new Settings(
                    new Bounds(20_000, Duration.ofMinutes(1)), Search.Mode.REDUCED, Set.of(), Optional.empty());
        }
    }

    /** A race with the {@linkplain Settings#standard() standard settings}. */
    public Interleavings() {
        this(Settings.standard());
    }

    /**
     * A race.
     *
     * @param settings how it is explored
     */
    public Interleavings(Settings settings) {
        this.settings = settings;
        this.disposable.addAll(settings.disposable());
    }

    /**
     * Names the database that it is about.
     *
     * @param dataSource of PostgreSQL's driver, a pool over it, or a {@link GatedDataSource}. A pool needs a connection for
     *     each that the sessions hold at once, and one more
     * @return this
     */
    public Interleavings over(DataSource dataSource) {
        if (source != null) {
            throw new IllegalStateException("a race is over one data source, but over(…) was called twice");
        }
        source = GatedDataSource.around(dataSource);
        return this;
    }

    /**
     * {@return what the code under test must use: the data source with a gate before each step}
     *
     * @throws IllegalStateException before {@link #over}
     */
    public DataSource dataSource() {
        return gated();
    }

    private GatedDataSource gated() {
        if (source == null) {
            throw new IllegalStateException("a race needs a data source: call over(dataSource) first");
        }
        return source;
    }

    /**
     * Adds a session. All of them run at once.
     *
     * @param name what it does, for the report
     * @param body its code, run again in each schedule, on a thread of its own
     * @return this
     */
    public Interleavings session(String name, SessionBody body) {
        if (sessions.size() == MOST_SESSIONS) {
            throw new IllegalStateException("a race has at most " + MOST_SESSIONS + " sessions");
        }
        if (sessions.putIfAbsent(name, body) != null) {
            throw new IllegalArgumentException("two sessions of a race are called \"" + name + "\"");
        }
        return this;
    }

    /**
     * Asks that an invariant holds at the end of each schedule.
     *
     * @param invariant the invariant
     * @return this
     */
    public Interleavings holds(Invariant invariant) {
        // without variables there, it is plain SQL
        String query = SqlTemplate.parse(invariant.violationSql()).text();
        return ask(new Question(invariant.name(), invariant.says(), new Question.Rows(query)));
    }

    /**
     * Asks that a query returns no row at the end of each schedule.
     *
     * @param violatingRows a query of the rows that must not be
     * @return this
     */
    public Interleavings holds(String violatingRows) {
        long rules = questions.stream()
                .filter(question -> question.kind() instanceof Question.Rows)
                .count();
        return holds(rules == 0 ? "the rule" : "rule " + (rules + 1), violatingRows);
    }

    /**
     * Asks that a query returns no row at the end of each schedule.
     *
     * @param name what the rule is called in a report
     * @param violatingRows a query of the rows that must not be
     * @return this
     */
    public Interleavings holds(String name, String violatingRows) {
        String line = violatingRows.strip().replaceAll("\\s+", " ");
        String says = "no row of: " + (line.length() > LONGEST_RULE ? line.substring(0, LONGEST_RULE) + "..." : line);
        return ask(new Question(name, says, new Question.Rows(violatingRows)));
    }

    /**
     * Asks that code does not throw at the end of each schedule.
     *
     * @param name what it asserts, for the report
     * @param assertion throws an {@link AssertionError} when that does not hold
     * @return this
     */
    public Interleavings holds(String name, SessionBody assertion) {
        return ask(new Question(name, "", new Question.Assertion(assertion)));
    }

    /**
     * Asks that no schedule deadlocks, and that none makes a session wait for ever.
     *
     * @return this
     */
    public Interleavings neverDeadlocks() {
        return ask(new Question("neverDeadlocks", "", new Question.Deadlocks()));
    }

    /**
     * Asks that no session ever waits in PostgreSQL for another, as sessions that have nothing to do with each other should not.
     *
     * @return this
     */
    public Interleavings neverWaits() {
        return ask(new Question("neverWaits", "", new Question.Waits()));
    }

    /**
     * Asks that no session ends with an error of PostgreSQL's, such as 40001 that no retry caught.
     *
     * @return this
     */
    public Interleavings neverFails() {
        return ask(new Question("neverFails", "", new Question.Failures()));
    }

    /**
     * Asks that every schedule ends as some serial order of the sessions that committed in it: with the same rows in all tables,
     * and the same rows read. Needs no rule, and finds what no rule was written for. Keys and times that a default fills in count
     * by what stands beside them; those that the code makes itself do too where two runs of one serial order differ otherwise.
     *
     * @return this
     */
    public Interleavings isSerializable() {
        return ask(new Question(
                SerialQuestion.NAME, "some serial order of the same sessions ends alike", new Question.Serializable()));
    }

    private Interleavings ask(Question question) {
        if (questions.stream().anyMatch(known -> known.name().equals(question.name()))) {
            throw new IllegalArgumentException("a race is asked the same twice: " + question.name());
        }
        questions.add(question);
        return this;
    }

    /**
     * Lets faults befall the sessions, each at every step of every session. A crash: instead of its next step the client is
     * gone, PostgreSQL undoes what is open, and no more of the session's code is run but what catches or follows an {@link Error}
     * ({@code finally}), which does not get at the database. A lost answer: a COMMIT is done, also that of a statement with
     * autocommit; then its connection breaks, and the code gets SQLSTATE 08006 and cannot know.
     *
     * <p>A session that throws an exception of class 08 after a lost answer ends as <i>unknown</i>, which fails nothing by
     * itself: what was asked is asked at the end, as always.
     *
     * @param crashes 0 to 5: at most so many crashes in one schedule
     * @param lostAnswers 0 to 5: at most so many lost answers in one schedule
     * @return this
     */
    public Interleavings faults(int crashes, int lostAnswers) {
        if (Math.min(crashes, lostAnswers) < 0
                || Math.max(crashes, lostAnswers) > MOST_FAULTS
                || crashes + lostAnswers == 0) {
            throw new IllegalArgumentException("faults(crashes, lostAnswers) must each be 0 to " + MOST_FAULTS
                    + ", and not both 0, but were " + crashes + ", " + lostAnswers);
        }
        faults = new Fault.Budget(crashes, lostAnswers);
        return this;
    }

    /**
     * Runs a session's code again from its start after a crash, and after a lost answer that it did not get over by itself, as a
     * real client would. Needs {@link #faults}.
     *
     * @return this
     */
    public Interleavings clientRetries() {
        clientRetries = true;
        return this;
    }

    /**
     * Says by which exception the code says no; of several, call it for each. Without it, what a session throws fails the
     * race; but not the errors that PostgreSQL gives to transactions that run at once: those of classes 40 and 23, 55P03 and
     * P0001.
     *
     * @param exception its type; thrown itself, or as a cause
     * @return this
     */
    public Interleavings mayRefuse(Class<? extends Throwable> exception) {
        mayRefuse.add(exception);
        return this;
    }

    /**
     * Says that the rows of a database are nobody's: they may be put back, as often as needed, to what they are when the
     * exploration begins. Not needed on an embedded server of Cerrojo's, and with a {@link #reset} of one's own.
     *
     * @param database its name, as {@code current_database()} gives it
     * @return this
     */
    public Interleavings disposable(String database) {
        disposable.add(database);
        return this;
    }

    /**
     * Brings the database to the start state, instead of Cerrojo. Nothing else is changed in it then.
     *
     * @param code run before each schedule
     * @return this
     */
    public Interleavings reset(SessionBody code) {
        reset = code;
        return this;
    }

    /**
     * Brings everything else to its start state, such as caches of the code under test.
     *
     * @param code run before each schedule
     * @return this
     */
    public Interleavings beforeEach(SessionBody code) {
        beforeEach.add(code);
        return this;
    }

    /**
     * Explores it, and tells what was found.
     *
     * @return the findings; the same again when called twice
     * @throws NotExplorableException if it cannot be explored as it is
     * @throws IllegalStateException if it lacks a data source, a session or a question
     */
    public Findings explore() {
        Findings found = findings;
        if (found == null) {
            if (sessions.isEmpty()) {
                throw new IllegalStateException("a race needs sessions: call session(name, code)");
            }
            if (questions.isEmpty()) {
                throw new IllegalStateException(
                        "a race needs a question: holds(…), isSerializable(), neverDeadlocks(), neverWaits() or neverFails()");
            }
            boolean asksSerial =
                    questions.stream().anyMatch(question -> question.kind() instanceof Question.Serializable);
            if (asksSerial && sessions.size() > SerialQuestion.MOST_SESSIONS) {
                throw new IllegalStateException(
                        "isSerializable() compares with every serial order, so a race may have at most "
                                + SerialQuestion.MOST_SESSIONS + " sessions then, but has " + sessions.size());
            }
            checkFaults(asksSerial);
            found = new Examination(this, gated(), settings).findings();
            findings = found;
        }
        return found;
    }

    private void checkFaults(boolean asksSerial) {
        boolean any = !faults.equals(Fault.Budget.NONE);
        if (clientRetries && !any) {
            throw new IllegalStateException("clientRetries() is about faults: call faults(crashes, lostAnswers) too");
        }
        if (asksSerial && any) {
            throw new IllegalStateException(
                    "isSerializable() cannot be asked of a race with faults(…): what a session leaves"
                            + " that ends half-way is no serial order of whole sessions. Ask holds(…), or race without faults");
        }
    }

    /**
     * Explores it, and fails unless everything that was asked for holds in every schedule.
     *
     * @throws InterleavingFailure if something does not hold, or if that could not be decided within the bounds
     * @throws NotExplorableException if it cannot be explored as it is
     */
    public void check() {
        Findings found = explore();
        if (found.verdict() != Verdict.HOLDS) {
            throw new InterleavingFailure(found);
        }
    }

    /** {@return whether it was explored} */
    public boolean isExplored() {
        return findings != null;
    }

    Map<String, SessionBody> sessions() {
        return sessions;
    }

    List<Question> questions() {
        return questions;
    }

    Set<Class<? extends Throwable>> refusals() {
        return new LinkedHashSet<>(mayRefuse);
    }

    Fault.Budget faults() {
        return faults;
    }

    boolean isRunAgain() {
        return clientRetries;
    }

    Set<String> disposables() {
        return disposable;
    }

    Optional<SessionBody> ownReset() {
        return Optional.ofNullable(reset);
    }

    List<SessionBody> preparations() {
        return beforeEach;
    }
}

package dev.cerrojo.explorer.spec;

import dev.cerrojo.tx.Isolation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A specification of PostgreSQL's isolation tester.
 *
 * @param file how it was named
 * @param setups make the start state, each on its own
 * @param teardown undoes them
 * @param sessions one to 26
 * @param permutations the orders that the file lists; none means all
 * @param isolation the level that transactions run at instead of what the SQL says: it says so already
 */
public record Spec(
        String file,
        List<SqlBlock> setups,
        Optional<SqlBlock> teardown,
        List<SpecSession> sessions,
        List<Permutation> permutations,
        Optional<Isolation> isolation) {
    private static final Pattern SERIALIZABLE = Pattern.compile("\\bserializable\\b", Pattern.CASE_INSENSITIVE);

    /** PostgreSQL: Statement Behavior; not {@code deadlock_timeout}, which ends no wait that could end otherwise. */
    private static final Pattern TIMEOUT =
            Pattern.compile("\\b(lock|statement|transaction|idle_\\w+)_timeout\\b", Pattern.CASE_INSENSITIVE);

    /**
     * What reaches beyond the database, or looks there: what one copy of it does, another would see or undo. Whether a
     * DEFERRABLE transaction waits depends on what goes on in all databases.
     */
    private static final Pattern BEYOND_DATABASE = Pattern.compile(
            "\\b(role|user|group|database|tablespace|subscription|system|login|owned|deferrable|dblink\\w*|copy|txid\\w*"
                    + "|pg_(?!(try_)?advisory|backend_pid|sleep)\\w+)\\b",
            Pattern.CASE_INSENSITIVE);

    /** Copies the lists. */
    public Spec {
        setups = List.copyOf(setups);
        sessions = List.copyOf(sessions);
        permutations = List.copyOf(permutations);
    }

    /**
     * Replaces the isolation level of every transaction, whether it begins in a setup or in a step.
     *
     * @param level the level
     * @return this specification at that level
     */
    public Spec withIsolation(Isolation level) {
        IsolationRewriter rewriter = new IsolationRewriter(level);
        return new Spec(
                file,
                setups,
                teardown,
                sessions.stream().map(rewriter::rewrite).toList(),
                permutations,
                Optional.of(level));
    }

    /**
     * Tells what is explored. A file that lists permutations may leave steps out of some of them: whatever steps, in each
     * session's order, are in one permutation make a program.
     *
     * @return the programs, in the order in which the file first has them; without permutations one, of all steps
     */
    public List<SpecProgram> programs() {
        Set<List<List<SpecStep>>> distinct = new LinkedHashSet<>();
        permutations.forEach(permutation -> distinct.add(steps(permutation)));
        if (distinct.isEmpty()) {
            distinct.add(sessions.stream().map(SpecSession::steps).toList());
        }
        List<SpecProgram> programs = new ArrayList<>();
        distinct.forEach(steps -> programs.add(new SpecProgram(programs.size() + 1, steps)));
        return programs;
    }

    private List<List<SpecStep>> steps(Permutation permutation) {
        List<List<SpecStep>> steps = new ArrayList<>();
        for (SpecSession session : sessions) {
            List<SpecStep> ofSession = new ArrayList<>();
            for (Permutation.Entry entry : permutation.steps()) {
                session.steps().stream()
                        .filter(step -> step.name().equals(entry.step()))
                        .forEach(ofSession::add);
            }
            steps.add(List.copyOf(ofSession));
        }
        return List.copyOf(steps);
    }

    /** {@return whether a transaction of it is SERIALIZABLE} */
    boolean isSerializable() {
        return isolation
                .map(level -> level == Isolation.SERIALIZABLE)
                .orElseGet(() -> SERIALIZABLE.matcher(sessionSql()).find());
    }

    /** {@return whether a wait may end because it took too long: in doubt, it may} */
    boolean setsTimeout() {
        return TIMEOUT.matcher(allSql()).find();
    }

    /** {@return whether copies of its database can be used at once: in doubt, they cannot} */
    boolean staysInItsDatabase() {
        return !BEYOND_DATABASE
                .matcher(allSql() + teardown.map(SqlBlock::sql).orElse(""))
                .find();
    }

    /** {@return all that the sessions may run, and the functions and triggers that they may call} */
    String allSql() {
        return setupSql() + sessionSql();
    }

    /** {@return what makes the start state} */
    String setupSql() {
        StringBuilder text = new StringBuilder();
        setups.forEach(block -> text.append(block.sql()).append(";\n"));
        return text.toString();
    }

    /** {@return all that the sessions run themselves} */
    String sessionSql() {
        StringBuilder text = new StringBuilder();
        for (SpecSession session : sessions) {
            session.setup().ifPresent(block -> text.append(block.sql()).append(";\n"));
            session.steps().forEach(step -> text.append(step.block().sql()).append(";\n"));
            session.teardown().ifPresent(block -> text.append(block.sql()).append(";\n"));
        }
        return text.toString();
    }
}

package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Step;
import java.util.regex.Pattern;

/**
 * What the SQL of a scenario does that PostgreSQL's lock table does not tell of afterwards, as far as its words show.
 *
 * @param anything whether any step may depend on any other
 * @param beginnings whether it may matter in which order transactions begin: {@code now()} is the time of that
 */
record Unseen(boolean anything, boolean beginnings) {
    /**
     * What releases locks before the transaction ends, tries, reads more than tables, tells the time as it goes on, or sets
     * another isolation level than the one that was declared.
     */
    private static final Pattern ANYWHERE = Pattern.compile(
            "\\bpg_try_advisory|\\bpg_advisory_unlock|\\bexception\\s+when\\b|\\bsavepoint\\b|\\brollback\\s+to\\b|\\bnowait\\b|_timeout\\b"
                    + "|\\bpg_(cancel|terminate)_backend\\b"
                    + "|\\bpg_locks\\b|\\bpg_stat|\\bpg_snapshot|\\bpg_current_|\\btxid_|\\bxmin\\b|\\bxmax\\b|\\bctid\\b|\\bdblink"
                    + "|\\bclock_timestamp\\b|\\bstatement_timestamp\\b|\\btimeofday\\b|\\buuidv7\\b|\\buuid_generate_v1"
                    + "|\\bset(_config)?\\b[^;]*(\\bisolation\\s+level\\b|transaction_isolation\\b|\\btransaction\\s+snapshot\\b)",
            Pattern.CASE_INSENSITIVE);

    /** DDL changes catalogs, and their locks are gone after the statement; a snapshot that waits to be safe waits for all. */
    private static final Pattern IN_STEPS =
            Pattern.compile("\\b(create|alter|drop|deferrable)\\b", Pattern.CASE_INSENSITIVE);

    private static final Pattern BEGINNING = Pattern.compile(
            "\\bnow\\s*\\(|\\bcurrent_(time|date)|\\blocaltime|\\btransaction_timestamp\\b|'(now|today|tomorrow|yesterday)'",
            Pattern.CASE_INSENSITIVE);

    /**
     * {@return whether any step may depend on any other}
     *
     * @param setup what makes the start state, functions included
     * @param steps what sessions run
     */
    static boolean anything(String setup, String steps) {
        Unseen unseen = in(setup, steps);
        return unseen.anything() || unseen.beginnings();
    }

    /**
     * {@return what SQL does that the lock table does not tell of}
     *
     * @param setup what makes the start state, functions included
     * @param steps what sessions run
     */
    static Unseen in(String setup, String steps) {
        String all = setup + "\n" + steps;
        return new Unseen(
                ANYWHERE.matcher(all).find() || IN_STEPS.matcher(steps).find(),
                BEGINNING.matcher(all).find());
    }

    static Unseen in(Scenario scenario) {
        StringBuilder steps = new StringBuilder();
        scenario.transactions()
                .values()
                .forEach(spec -> spec.steps().forEach(step -> {
                    if (step instanceof Step.Statement statement) {
                        steps.append(statement.sql().text()).append(";\n");
                    }
                }));
        return in(scenario.setup(), steps.toString());
    }
}

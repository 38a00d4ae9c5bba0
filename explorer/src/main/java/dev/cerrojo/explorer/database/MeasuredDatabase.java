package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.scenario.Call;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Session;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.sql.SqlText;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A scratch database in which sessions of a scenario run freely, to be measured: nothing stops them between steps, and their
 * commits are durable. Each client is used by one thread at a time, and all else
 * while no client runs. Closing it drops the database.
 */
public final class MeasuredDatabase implements AutoCloseable {
    private static final Pattern OUTLIVES_BY_CALL =
            Pattern.compile("\\bset_config\\b|\\bpg_(try_)?advisory_(un)?lock", Pattern.CASE_INSENSITIVE);
    private static final Set<String> OUTLIVES_BY_FIRST_WORD =
            Set.of("SET", "RESET", "LISTEN", "UNLISTEN", "PREPARE", "DECLARE", "CREATE", "DO", "CALL", "DISCARD");
    private static final Pattern LOCAL =
            Pattern.compile("\\bset\\s+(local|transaction|constraints)\\b", Pattern.CASE_INSENSITIVE);

    private final Scratch scratch;
    private final KnownTransactions known;
    private final List<ClientConnections> clients = new ArrayList<>();

    private MeasuredDatabase(Scratch scratch) {
        this.scratch = scratch;
        this.known = new KnownTransactions(scratch::compiler);
    }

    /**
     * Makes the database, and runs the scenario's setup in it.
     *
     * @param server where
     * @param scenario whose setup and invariants
     * @return the database
     * @throws ScenarioSqlException if PostgreSQL does not take the setup
     * @throws SQLException if the server cannot do it
     */
    public static MeasuredDatabase open(Server server, Scenario scenario) throws SQLException {
        MeasuredDatabase database = new MeasuredDatabase(Scratch.create(server, scenario, Arena.Gates.OFF));
        try {
            database.scratch.analyze();
            database.scratch.restore(true);
            return database;
        } catch (SQLException | RuntimeException e) {
            database.close();
            throw e;
        }
    }

    /**
     * Tells whether a session of some transactions leaves something behind in its connection, such as a session lock: then it
     * would find it in its next call.
     *
     * @param scenario the transactions
     * @return true when in doubt
     */
    public static boolean outlivesTransaction(Scenario scenario) {
        return scenario.transactions().values().stream()
                .flatMap(transaction -> transaction.steps().stream())
                .anyMatch(step -> step instanceof Step.Statement statement
                        && outlivesTransaction(statement.sql().text()));
    }

    /** A column may be called role or temp: the word that a statement begins with tells more than words in it. */
    private static boolean outlivesTransaction(String sql) {
        boolean beginsSo = OUTLIVES_BY_FIRST_WORD.contains(SqlText.of(sql).firstWord());
        return OUTLIVES_BY_CALL.matcher(sql).find()
                || (beginsSo && !LOCAL.matcher(sql).find());
    }

    /**
     * Connects clients, as long as there are not as many.
     *
     * @param number how many
     * @throws SQLException if the server cannot do it
     */
    public void connect(int number) throws SQLException {
        while (clients.size() < number) {
            clients.add(new ClientConnections(scratch.clientUrl()));
        }
    }

    /** Closes the clients' connections. */
    public void disconnect() {
        clients.forEach(ClientConnections::close);
        clients.clear();
    }

    /** {@return its name} */
    public String name() {
        return scratch.database();
    }

    /** {@return the server's position in its write-ahead log, in bytes; only differences mean something} */
    public long walPosition() throws SQLException {
        return scratch.walPosition();
    }

    /**
     * Puts rows and sequences back.
     *
     * @param anew whether into empty tables, so that no dead rows are left
     * @return whether that is enough; not when somebody did DDL
     * @throws SQLException if the server cannot do it
     */
    public boolean restore(boolean anew) throws SQLException {
        return scratch.restore(anew);
    }

    /**
     * Makes calls ready.
     *
     * @param variant a scenario with the same setup, and any transactions
     * @param session the calls of a session
     * @return what clients run
     * @throws ScenarioSqlException if PostgreSQL does not take a step
     */
    public Program program(Scenario variant, Session session) {
        List<CompiledTransaction> transactions = new ArrayList<>();
        for (Call call : session.calls()) {
            transactions.add(
                    known.of(Objects.requireNonNull(variant.transactions().get(call.transaction())), call));
        }
        return new Program(transactions);
    }

    /**
     * How a session ended.
     *
     * @param outcome how
     * @param retries how often it began again
     * @param roundTrips how often it asked the server
     */
    public record Ended(Outcome outcome, int retries, int roundTrips) {}

    /** Calls that clients run. */
    public final class Program {
        private final List<CompiledTransaction> transactions;

        private Program(List<CompiledTransaction> transactions) {
            this.transactions = transactions;
        }

        /**
         * Runs them to their end.
         *
         * @param client which client does, from 0
         * @param session the calls that the program was made of, or the same with other values of the same types
         * @return how that ended
         */
        public Ended run(int client, Session session) {
            CountingGate gate = new CountingGate();
            ScenarioSession running = new ScenarioSession(
                    client, session, transactions, clients.get(client), scratch.calculator(), false, false);
            Outcome outcome = running.run(gate);
            return new Ended(outcome, running.retries(), gate.steps());
        }
    }

    /** Closes the connections and drops the database. */
    @Override
    public void close() throws SQLException {
        disconnect();
        scratch.close();
    }
}

package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.scenario.Call;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.search.Violation;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/**
 * A scratch database with a scenario's start state, in which transactions run freely: nobody stops them between their
 * statements. Closing it drops the database. Connections may be used by any thread, the rest by one at a time.
 */
public final class FreeDatabase implements AutoCloseable {
    private final Scratch scratch;

    private FreeDatabase(Scratch scratch) {
        this.scratch = scratch;
    }

    /**
     * Makes the database and runs the scenario's setup in it.
     *
     * @param server where
     * @param scenario whose setup and invariants
     * @return the database
     * @throws ScenarioSqlException if PostgreSQL does not take the setup or an invariant
     * @throws SQLException if the server cannot do it
     */
    public static FreeDatabase open(Server server, Scenario scenario) throws SQLException {
        return new FreeDatabase(Scratch.create(server, scenario, Arena.Gates.OFF));
    }

    /** {@return the JDBC URL of the database; where that can be set, deadlocks are found after a millisecond} */
    public String url() {
        return scratch.sessionUrl(0);
    }

    /** {@return a connection in autocommit mode, which the caller closes before this} */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    /**
     * Shows a transaction to PostgreSQL.
     *
     * @param transaction the transaction
     * @param call a call of it, for the types of its arguments
     * @return what runs its steps
     * @throws ScenarioSqlException if PostgreSQL does not take a step
     */
    public FreeTransaction transaction(TransactionSpec transaction, Call call) {
        return new FreeTransaction(scratch.compiler().compile(transaction, call), scratch.calculator());
    }

    /** {@return the invariants that do not hold in what is committed now} */
    public List<Violation> violations() throws SQLException {
        return scratch.violations();
    }

    /** {@return the tables that a query reads, through views too, as SQL names them, in order of their names} */
    public List<String> tablesOf(String query) throws SQLException {
        return scratch.tablesOf(query);
    }

    @Override
    public void close() throws SQLException {
        scratch.close();
    }
}

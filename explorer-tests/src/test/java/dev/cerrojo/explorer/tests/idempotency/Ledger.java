package dev.cerrojo.explorer.tests.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Isolation;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** A database with Cerrojo's tables, and one with a row for each effect. */
final class Ledger implements AutoCloseable {
    static final String ONE_EFFECT = "SELECT count(*) FROM effect HAVING count(*) <> 1";
    static final String EFFECT = "INSERT INTO effect VALUES ('%s')";

    /** Says how many schedules there were, for the design page. */
    private static final boolean SAYS_COUNTS = Boolean.getBoolean("cerrojo.idempotency.counts");

    private static final int SIZE = 5;

    private final TestDatabase database = TestDatabase.create();
    private final HikariDataSource setup = Pools.hikari(database, 2);
    private HikariDataSource pool = setup;

    Ledger() throws SQLException {
        Schema.over(setup).create();
        execute("CREATE TABLE effect (who text NOT NULL)");
    }

    DataSource setup() {
        return setup;
    }

    void execute(String sql) throws SQLException {
        Pools.execute(setup, sql);
    }

    DataSource over(Interleavings race, Isolation level) {
        pool = Pools.hikari(database, SIZE, level);
        return race.over(pool).dataSource();
    }

    /** {@return the number that a query gives} */
    int number(String sql) throws SQLException {
        return number(setup, sql);
    }

    static int number(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }

    static int update(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    static void allHold(Interleavings race) {
        is(Verdict.HOLDS, race);
    }

    static Findings isViolated(Interleavings race) {
        return is(Verdict.VIOLATED, race);
    }

    private static Findings is(Verdict verdict, Interleavings race) {
        Findings findings = race.explore();
        if (SAYS_COUNTS) {
            String test = StackWalker.getInstance()
                    .walk(frames -> frames.map(StackWalker.StackFrame::getMethodName)
                            .filter(method ->
                                    !method.equals("is") && !method.equals("allHold") && !method.equals("isViolated"))
                            .findFirst()
                            .orElseThrow());
            System.out.printf("| `%s` | %s | %d |%n", test, findings.verdict().word(), findings.schedules());
        }
        assertThat(findings.verdict()).as(findings.text()).isEqualTo(verdict);
        return findings;
    }

    @Override
    public void close() {
        pool.close();
        setup.close();
        database.close();
    }
}

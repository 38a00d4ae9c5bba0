package dev.cerrojo.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.embedded.EmbeddedPostgres;
import dev.cerrojo.guard.GuardOptions;
import dev.cerrojo.guard.TriggerGuard;
import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule.Rows;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** A database of shifts: each client has a doctor of its own on each, who comes and goes, and one doctor always stays. */
final class Ward implements AutoCloseable {
    static final Invariant COVERAGE = Invariant.named("on_call_coverage")
            .says("every active shift keeps at least one active doctor on call")
            .per("shift", "id")
            .where("active")
            .atLeast(1, Rows.of("on_call").by("shift_id").where("active"));

    /** One statement, so that all contenders do the same work. */
    static final String TOGGLE = "UPDATE on_call SET active = NOT active WHERE shift_id = ? AND doctor = ?";

    private final HikariDataSource pool;
    private final int shifts;

    private Ward(HikariDataSource pool, int shifts) {
        this.pool = pool;
        this.shifts = shifts;
    }

    static Ward create(EmbeddedPostgres server, String name, int shifts, int clients, boolean guarded)
            throws SQLException {
        run(server.jdbcUrl(), "CREATE DATABASE " + name);
        String url = server.jdbcUrl(name);
        run(url, """
                CREATE TABLE shift (id int PRIMARY KEY, active boolean NOT NULL);
                CREATE TABLE on_call (shift_id int NOT NULL REFERENCES shift, doctor int NOT NULL, active boolean NOT NULL,
                  PRIMARY KEY (shift_id, doctor)) WITH (fillfactor = 50);
                INSERT INTO shift SELECT n, true FROM generate_series(1, %d) AS n;
                INSERT INTO on_call SELECT n, d, true FROM generate_series(1, %1$d) AS n, generate_series(-1, %d) AS d;
                """.formatted(shifts, clients - 1));
        run(url, String.join(";\n", new GuardTable("cerrojo").createStatements()));
        if (guarded) {
            run(url, TriggerGuard.of(COVERAGE, GuardOptions.defaults()).installSql());
        }
        run(url, "VACUUM ANALYZE");
        return new Ward(pool(url, clients), shifts);
    }

    private static HikariDataSource pool(String url, int clients) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(clients);
        return new HikariDataSource(config);
    }

    private static void run(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    DataSource pool() {
        return pool;
    }

    int shifts() {
        return shifts;
    }

    @Override
    public void close() {
        pool.close();
    }
}

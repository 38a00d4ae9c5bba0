package dev.cerrojo.explorer.tests.guards;

import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.guard.Guard;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule.Rows;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** Shifts 1 and 2, with the doctors A and B each, and shift 3, which is not active and has A. */
final class Hospital implements AutoCloseable {
    static final Invariant COVERAGE = coverage("on_call_coverage");

    static final String TABLES = """
            CREATE TABLE shift (id int PRIMARY KEY, active boolean NOT NULL);
            CREATE TABLE on_call (
              shift_id int NOT NULL REFERENCES shift ON UPDATE CASCADE ON DELETE CASCADE, doctor text NOT NULL,
              active boolean NOT NULL DEFAULT true, PRIMARY KEY (shift_id, doctor));
            INSERT INTO shift VALUES (1, true), (2, true), (3, false);
            INSERT INTO on_call VALUES (1, 'A'), (2, 'A'), (2, 'B'), (1, 'B'), (3, 'A');
            """;

    private static final int CONNECTIONS = 6;

    private final TestDatabase database = TestDatabase.create();
    private final HikariDataSource pool = Pools.hikari(database, CONNECTIONS);

    static Invariant coverage(String name) {
        return coverage(name, "active");
    }

    static Invariant coverageBy(String condition) {
        return coverage("on_call_coverage", condition);
    }

    private static Invariant coverage(String name, String condition) {
        return Invariant.named(name)
                .says("every active shift keeps a doctor on call")
                .per("shift", "id")
                .where("active")
                .atLeast(1, Rows.of("on_call").by("shift_id").where(condition));
    }

    static Invariant atMostThree() {
        return Invariant.named("on_call_crowd")
                .says("at most three doctors are on call in a shift")
                .per("shift", "id")
                .atMost(3, Rows.of("on_call").by("shift_id"));
    }

    /**
     * {@return the same check in triggers that touch nothing before it: what a guard is without its serialization point}
     *
     * @param invariant whose violating rows are looked for after each statement, in all scopes
     */
    static List<String> countingTriggers(Invariant invariant) {
        return List.of("""
                CREATE FUNCTION count_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF EXISTS (%s) THEN
                    RAISE EXCEPTION USING ERRCODE = '23514', MESSAGE = 'violated';
                  END IF;
                  RETURN NULL;
                END $$""".formatted(invariant.violationSql()), """
                DO $$ DECLARE place regclass; BEGIN
                  FOR place IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
                  LOOP
                    EXECUTE format('CREATE TRIGGER count_only AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s '
                      'FOR EACH STATEMENT EXECUTE FUNCTION count_only()', place);
                  END LOOP;
                END $$""");
    }

    /** {@return a hospital without any guard; the guard table is there, empty} */
    static Hospital of(String... more) throws SQLException {
        Hospital hospital = new Hospital();
        hospital.execute(TABLES);
        for (String sql : more) {
            hospital.execute(sql);
        }
        for (String sql : Point.TOUCH.of(COVERAGE).setupStatements()) {
            hospital.execute(sql);
        }
        return hospital;
    }

    Hospital guardedBy(Guard guard) throws SQLException {
        return with(guard.installStatements());
    }

    /** In one transaction. */
    Hospital with(List<String> statements) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement sql = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (String statement : statements) {
                sql.execute(statement);
            }
            connection.commit();
        }
        return this;
    }

    void execute(String sql) throws SQLException {
        Pools.execute(pool, sql);
    }

    DataSource dataSource() {
        return pool;
    }

    TestDatabase database() {
        return database;
    }

    @Override
    public void close() {
        pool.close();
        database.close();
    }
}

package dev.cerrojo.explorer.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.schedule.Effect;
import dev.cerrojo.explorer.schedule.Footprint;
import dev.cerrojo.explorer.schedule.Move;
import dev.cerrojo.explorer.schedule.StepInfo;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Isolation;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HiddenSqlPostgresTest {
    private final TestDatabase database = TestDatabase.create();

    @AfterEach
    void close() {
        database.close();
    }

    /** What the steps of a run that touched some tables may have run. */
    private Unseen after(String ddl, Footprint footprint) throws SQLException {
        try (Connection connection = database.connect();
                Statement sql = connection.createStatement()) {
            sql.execute("CREATE TABLE other (id int); CREATE TABLE touched (id int, at timestamptz); " + ddl);
            return HiddenSql.of(sql).in(trace(footprint));
        }
    }

    private static Trace trace(Footprint footprint) {
        Effect effect = new Effect(0, StepInfo.commit(Isolation.READ_COMMITTED), footprint);
        return new Trace(List.of(), List.of(), List.of(), List.of(new Move(0, List.of(effect))), List.of(), 0);
    }

    private Footprint reads(String table) throws SQLException {
        try (Connection connection = database.connect();
                Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery("SELECT '" + table + "'::regclass::oid")) {
            row.next();
            return new Footprint(Set.of(row.getString(1)), Set.of(), Set.of(), false);
        }
    }

    private Unseen reading(String table) throws SQLException {
        try (Connection connection = database.connect();
                Statement sql = connection.createStatement()) {
            return HiddenSql.of(sql).in(trace(reads(table)));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE touched ALTER at SET DEFAULT now()",
                "ALTER TABLE touched ADD CHECK (at <= now())",
                "CREATE POLICY p ON touched USING (at < current_timestamp)",
                "CREATE POLICY p ON touched FOR INSERT WITH CHECK (at < localtimestamp)",
                "CREATE RULE r AS ON INSERT TO touched DO ALSO UPDATE other SET id = extract(second FROM now())",
                "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.at = now(); RETURN NEW; END $$;"
                        + " CREATE TRIGGER t BEFORE INSERT ON touched FOR EACH ROW EXECUTE FUNCTION f()",
                "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;"
                        + " CREATE TRIGGER t BEFORE INSERT ON touched FOR EACH ROW WHEN (NEW.at < now()) EXECUTE FUNCTION f()"
            })
    void whatATableRunsCountsWhereItIsTouched(String ddl) throws SQLException {
        assertThat(after(ddl, Footprint.EVERYTHING).beginnings()).isTrue();

        assertThat(reading("touched").beginnings()).isTrue();
        assertThat(reading("other").beginnings()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE FUNCTION f() RETURNS timestamptz LANGUAGE sql AS 'SELECT now()'",
                "CREATE FUNCTION f() RETURNS timestamptz LANGUAGE sql RETURN now()",
                "CREATE FUNCTION f(at timestamptz DEFAULT now()) RETURNS timestamptz LANGUAGE sql AS 'SELECT at'",
                "CREATE DOMAIN d AS timestamptz DEFAULT now()",
                "CREATE DOMAIN d AS timestamptz CHECK (VALUE < now())"
            })
    void whatNoTableIsOfCountsAlways(String ddl) throws SQLException {
        assertThat(after(ddl, Footprint.NONE).beginnings()).isTrue();
    }

    @Test
    void aViewCountsWhereItIsRead() throws SQLException {
        after("CREATE VIEW clock AS SELECT now() AS t", Footprint.NONE);

        assertThat(reading("clock").beginnings()).isTrue();
        assertThat(reading("touched").beginnings()).isFalse();
    }

    @Test
    void whatHidesLocksIsToldApart() throws SQLException {
        Unseen unseen = after(
                "ALTER TABLE touched ALTER at SET DEFAULT clock_timestamp(); CREATE VIEW locks AS SELECT * FROM pg_locks",
                Footprint.NONE);

        assertThat(unseen.anything()).isFalse();
        assertThat(reading("touched").anything()).isTrue();
        assertThat(reading("touched").beginnings()).isFalse();
        assertThat(reading("locks").anything()).isTrue();
    }

    @Test
    void anEmptyDatabaseHidesNothing() throws SQLException {
        Unseen unseen = after("", Footprint.EVERYTHING);

        assertThat(unseen).isEqualTo(new Unseen(false, false));
    }
}

package dev.cerrojo.guard;

import static dev.cerrojo.invariant.Invariants.element;
import static dev.cerrojo.invariant.Invariants.global;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GuardMigrationPostgresTest {
    private static final GuardOptions DEFAULTS = GuardOptions.defaults();
    private static final Invariant MANY = global("many", new Rule.AtLeast(1, Rule.Rows.of("booking")));
    private static final Invariant FEW = global("few", new Rule.AtMost(9, Rule.Rows.of("booking")));
    private static final Invariant NO_DOUBLE =
            global("no_double", new Rule.NoOverlap("booking", List.of(element("room", "=")), Optional.empty()));

    private TestDatabase database;
    private Session session;

    @BeforeEach
    void open() throws SQLException {
        database = TestDatabase.create();
        session = Session.of(database);
        session.run("CREATE TABLE booking (room text)");
        session.run("INSERT INTO booking VALUES ('a')");
    }

    @AfterEach
    void close() throws SQLException {
        session.close();
        database.close();
    }

    private static GuardMigration migration(Invariant... invariants) {
        return GuardMigration.of(List.of(invariants).stream()
                .map(invariant -> Guard.of(invariant, DEFAULTS))
                .toList());
    }

    private String shared() throws SQLException {
        return session.value("SELECT concat_ws(' ', to_regnamespace('cerrojo'), to_regclass('cerrojo.guard'),"
                + " (SELECT extname FROM pg_extension WHERE extname = 'btree_gist'))");
    }

    @Test
    void whatItMadeGoesWithTheLastThatUsesIt() throws SQLException {
        session.run(migration(MANY, NO_DOUBLE).installSql());
        session.run(migration(FEW).installSql());
        assertThat(Guards.over(database.dataSource()).verify(Guard.of(MANY, DEFAULTS)))
                .isEmpty();

        session.run(migration(MANY, NO_DOUBLE).rollbackSql());
        assertThat(shared()).isEqualTo("cerrojo cerrojo.guard");
        session.run(migration(FEW).rollbackSql());
        assertThat(shared()).isEmpty();
    }

    @Test
    void whatWasThereBeforeStays() throws SQLException {
        Schema.over(database.dataSource()).create();
        session.run("CREATE EXTENSION btree_gist");

        session.run(migration(MANY, NO_DOUBLE).installSql());
        session.run(migration(MANY, NO_DOUBLE).rollbackSql());

        assertThat(shared()).isEqualTo("cerrojo cerrojo.guard btree_gist");
    }

    @Test
    void theTableOfSerializationPointsOutlivesTheGuardsThatMadeIt() throws SQLException {
        GuardMigration points = GuardMigration.ofGuardTable("cerrojo");
        session.run(migration(MANY).installSql());
        session.run(points.installSql());

        session.run(migration(MANY).rollbackSql());
        assertThat(shared()).isEqualTo("cerrojo cerrojo.guard");
        session.run(points.rollbackSql());
        assertThat(shared()).isEmpty();
    }

    @Test
    void theTableOfGuardsOutlivesTheRollbackOfPoints() throws SQLException {
        GuardMigration points = GuardMigration.ofGuardTable("cerrojo");
        session.run(points.installSql());
        session.run(migration(MANY).installSql());

        session.run(points.rollbackSql());
        assertThat(Guards.over(database.dataSource()).verify(Guard.of(MANY, DEFAULTS)))
                .isEmpty();
        session.run(migration(MANY).rollbackSql());
        assertThat(shared()).isEmpty();
    }

    @Test
    void rowsThatViolateAreListedAndNothingIsChanged() throws SQLException {
        session.run("DELETE FROM booking");

        assertThat(session.error(migration(MANY).installSql()).getDetail()).contains("\"count\":0");
        assertThat(shared()).isEmpty();
    }

    @Test
    void guardsOfOneMigrationShareTheirSchema() {
        assertThatThrownBy(() -> GuardMigration.of(
                        List.of(Guard.of(MANY, DEFAULTS), Guard.of(FEW, DEFAULTS.withOwnSchema("own")))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[cerrojo, own]");
    }
}

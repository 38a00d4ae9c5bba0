package dev.cerrojo.guard;

import static dev.cerrojo.invariant.Invariants.element;
import static dev.cerrojo.invariant.Invariants.global;
import static dev.cerrojo.invariant.Invariants.rows;
import static dev.cerrojo.invariant.Invariants.scoped;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.util.ServerErrorMessage;

class NativeConstraintPostgresTest {
    private static final GuardOptions DEFAULTS = GuardOptions.defaults();
    private static final Invariant ONE_DEFAULT = global(
            "one_default_card",
            new Rule.Unique("card", List.of("owner", "kind"), Optional.of("is_default -- only those")));
    private static final Invariant NO_DOUBLE_BOOKING = global(
            "no_double_booking",
            new Rule.NoOverlap(
                    "booking",
                    List.of(element("room", "="), element("int4range(since, until)", "&&")),
                    Optional.of("NOT cancelled")));

    private TestDatabase database;
    private Session session;

    @BeforeEach
    void open() throws SQLException {
        database = TestDatabase.create();
        session = Session.of(database);
        session.run("CREATE TABLE card (owner int, kind text, is_default boolean)");
        session.run("CREATE TABLE booking (room text, since int, until int, cancelled boolean NOT NULL DEFAULT false)");
    }

    @AfterEach
    void close() throws SQLException {
        session.close();
        database.close();
    }

    @Test
    void rowsThatAgreeAreRefused() throws SQLException {
        session.run(Guard.of(ONE_DEFAULT, DEFAULTS).installSql());
        session.run(
                "INSERT INTO card VALUES (1, 'x', true), (1, 'x', false), (1, 'y', true), (NULL, 'x', true), (NULL, 'x', true)");

        ServerErrorMessage error = session.error("UPDATE card SET is_default = true");
        assertThat(error.getSQLState()).isEqualTo("23505");
        assertThat(error.getConstraint()).isEqualTo("one_default_card");
    }

    @Test
    void deferredUniquenessWaitsForCommit() throws SQLException {
        session.run(Guard.of(ONE_DEFAULT, DEFAULTS.withDeferred(true)).installSql());
        session.run("INSERT INTO card VALUES (1, 'x', true)");
        session.run(
                "BEGIN; INSERT INTO card VALUES (1, 'x', true); DELETE FROM card WHERE ctid = (SELECT min(ctid) FROM card); COMMIT");

        session.run("BEGIN; INSERT INTO card VALUES (1, 'x', true)");
        ServerErrorMessage error = session.error("COMMIT");
        assertThat(error.getSQLState()).isEqualTo("23P01");
        assertThat(error.getConstraint()).isEqualTo("one_default_card");
    }

    @Test
    void rowsThatOverlapAreRefused() throws SQLException {
        Guard guard = Guard.of(NO_DOUBLE_BOOKING, DEFAULTS);
        assertThat(guard.installStatements().get(0)).isEqualTo("CREATE EXTENSION IF NOT EXISTS btree_gist");
        session.run(guard.installSql());
        session.run("INSERT INTO booking VALUES ('a', 1, 5), ('b', 1, 5), ('a', 5, 6), (NULL, 1, 5)");

        ServerErrorMessage error = session.error("INSERT INTO booking VALUES ('a', 4, 6)");
        assertThat(error.getSQLState()).isEqualTo("23P01");
        assertThat(error.getConstraint()).isEqualTo("no_double_booking");
        session.run("INSERT INTO booking VALUES ('a', 4, 6, true)");
        assertThat(session.sqlState("UPDATE booking SET cancelled = false")).isEqualTo("23P01");
        assertThat(session.rows(NO_DOUBLE_BOOKING.violationSql())).isEmpty();
    }

    @Test
    void dataThatBreaksTheRuleIsListed() throws SQLException {
        session.run("INSERT INTO booking VALUES ('a', 1, 5), ('a', 4, 6)");
        session.run("INSERT INTO card VALUES (1, 'x', true), (1, 'x', true)");

        assertThat(session.error(Guard.of(ONE_DEFAULT, DEFAULTS).installSql()).getDetail())
                .endsWith("{\"owner\":1,\"kind\":\"x\",\"rows\":2}");
        assertThat(session.error(Guard.of(NO_DOUBLE_BOOKING, DEFAULTS).installSql())
                        .getDetail())
                .contains("\"overlaps\":{");
    }

    @Test
    void atMostOneIsAUniqueIndexToo() throws SQLException {
        Invariant perOwner = scoped(
                "one_card", Scope.table("owner", "id"), "", new Rule.AtMost(1, rows("card", "owner", "is_default")));
        Invariant atAll = global("one_at_all", new Rule.AtMost(1, rows("card", "", "kind = 'master'")));
        session.run("CREATE TABLE owner (id int)");
        session.run(NativeConstraint.of(perOwner, DEFAULTS).installSql());
        session.run(NativeConstraint.of(atAll, DEFAULTS).installSql());

        session.run("INSERT INTO card VALUES (1, 'x', true), (1, 'x', false), (2, 'master', true)");
        assertThat(session.error("INSERT INTO card VALUES (1, 'x', true)").getConstraint())
                .isEqualTo("one_card");
        assertThat(session.error("INSERT INTO card VALUES (3, 'master', true)").getConstraint())
                .isEqualTo("one_at_all");
    }

    @Test
    void partitionedTablesAreKeptByTheIndex() throws SQLException {
        session.run("CREATE TABLE part (id int, name text) PARTITION BY LIST (id)");
        session.run("CREATE TABLE part_1 PARTITION OF part FOR VALUES IN (1)");
        Invariant unique = global("part_name", new Rule.Unique("part", List.of("id", "name"), Optional.empty()));
        session.run(Guard.of(unique, DEFAULTS).installSql());

        session.run("INSERT INTO part VALUES (1, 'x')");
        assertThat(session.sqlState("INSERT INTO part_1 VALUES (1, 'x')")).isEqualTo("23505");
    }
}

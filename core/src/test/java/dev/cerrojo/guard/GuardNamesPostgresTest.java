package dev.cerrojo.guard;

import static dev.cerrojo.invariant.Invariants.global;
import static dev.cerrojo.invariant.Invariants.rows;
import static dev.cerrojo.invariant.Invariants.scoped;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import dev.cerrojo.schema.Installation;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of every kind that PostgreSQL takes: a guard of them is installed, keeps, is found unchanged, and goes. */
class GuardNamesPostgresTest {
    private static final String LONG = "é".repeat(40);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Mixed Case",
                "user",
                "system_user",
                "it's",
                "a/b",
                "a\"b",
                "a\\b",
                "a.b",
                "a%sb",
                "a$cerrojo$b",
                "a{b}c",
                "a?b:c",
                "a;b",
                "line\nbreak",
                "größe_ñ_😀",
                "x--y/*z"
            })
    void everyNameIsKept(String name) throws SQLException {
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            String quoted = Identifiers.quote(name);
            String org = Identifiers.quote(name + " org");
            session.run("CREATE SCHEMA " + quoted);
            session.run("CREATE TABLE %1$s.%2$s (%1$s int PRIMARY KEY)".formatted(quoted, org));
            session.run("CREATE TABLE %1$s.%1$s (%1$s int, n int)".formatted(quoted));
            session.run("INSERT INTO %1$s.%2$s VALUES (1)".formatted(quoted, org));
            session.run("INSERT INTO %1$s.%1$s VALUES (1, 1), (1, 2)".formatted(quoted));
            Invariant invariant = scoped(
                    "kept",
                    Scope.table(org, quoted),
                    "",
                    new Rule.AtLeast(1, rows(quoted, quoted, quoted + " > 0 AND n > 0")));
            Guard guard = TriggerGuard.of(
                    invariant, GuardOptions.defaults().withSchema(name).withOwnSchema(name + " own"));
            Guards guards = Guards.over(database.dataSource());

            guards.install(guard, Installation.defaults());

            assertThat(guards.verify(guard)).isEmpty();
            assertThat(session.sqlState("DELETE FROM %1$s.%1$s".formatted(quoted)))
                    .isEqualTo("23514");
            guards.drop(guard, Installation.defaults());
            session.run("DELETE FROM %1$s.%1$s WHERE n = 1".formatted(quoted));
            session.run(guard.installSql());
            assertThat(guards.verify(guard)).isEmpty();
            session.run(guard.dropSql());
            session.run("DELETE FROM %1$s.%1$s".formatted(quoted));
        }
    }

    /** PostgreSQL folds capitals of ASCII only, and keeps 63 bytes. */
    @ParameterizedTest
    @ValueSource(strings = {"ÉQUIPE", "éééééééééééééééééééééééééééééééééééééééé"})
    void aNameWithoutQuotesIsTheOneThatPostgresReads(String name) throws SQLException {
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("CREATE TABLE org (id int PRIMARY KEY)");
            session.run("CREATE TABLE %1$s (%1$s int, admin boolean)".formatted(name));
            session.run("INSERT INTO org VALUES (1)");
            session.run("INSERT INTO " + name + " VALUES (1, true)");
            Guard guard = Guard.of(
                    scoped("kept", Scope.table("org", "id"), "", new Rule.AtLeast(1, rows(name, name, "admin"))),
                    GuardOptions.defaults());
            Guards guards = Guards.over(database.dataSource());

            guards.install(guard, Installation.defaults());

            assertThat(guards.verify(guard)).isEmpty();
            assertThat(session.sqlState("DELETE FROM " + name)).isEqualTo("23514");
        }
    }

    /** Its type was not looked at, since the catalog knows no column with so long a name. */
    @Test
    void aLongNameDoesNotHideTheTypeOfAScope() throws SQLException {
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("CREATE TABLE org (id numeric PRIMARY KEY)");
            session.run("CREATE TABLE member (" + LONG + " numeric)");
            Guard guard = Guard.of(
                    scoped("kept", Scope.table("org", "id"), "", new Rule.AtLeast(1, rows("member", LONG, ""))),
                    GuardOptions.defaults());

            assertThat(session.sqlState(guard.installSql())).isEqualTo("42804");
        }
    }

    @Test
    void aNameWithALineBreakDoesNotLeaveTheComment() {
        String evil = "\"id\nDROP TABLE org; --\"";
        Guard guard = TriggerGuard.of(
                scoped("kept", Scope.table("org", evil), "", new Rule.AtLeast(1, rows("member", "org_id", ""))),
                GuardOptions.defaults());

        String head = guard.installSql().substring(0, guard.installSql().indexOf("CREATE SCHEMA"));
        assertThat(head.lines()).allMatch(line -> line.isEmpty() || line.startsWith("--"));
    }

    @Test
    void aNativeConstraintOfEveryNameIsKept() throws SQLException {
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            String name = "\"It's \"\"a/b\"\".\\\"";
            session.run("CREATE TABLE %1$s (%1$s int, ok boolean)".formatted(name));
            for (boolean deferred : new boolean[] {false, true}) {
                Guard guard = Guard.of(
                        global("one_of_each", new Rule.Unique(name, List.of(name), Optional.of("ok"))),
                        GuardOptions.defaults().withDeferred(deferred));
                Guards guards = Guards.over(database.dataSource());

                guards.install(guard, Installation.defaults());

                assertThat(guards.verify(guard)).isEmpty();
                guards.drop(guard, Installation.defaults());
            }
        }
    }
}

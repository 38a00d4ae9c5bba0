package dev.cerrojo.guard;

import static dev.cerrojo.invariant.Invariants.element;
import static dev.cerrojo.invariant.Invariants.global;
import static dev.cerrojo.invariant.Invariants.rows;
import static dev.cerrojo.invariant.Invariants.scoped;
import static dev.cerrojo.invariant.Invariants.violatedBy;
import static dev.cerrojo.invariant.Invariants.watch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import dev.cerrojo.schema.Installation;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.ServerErrorMessage;

class InstallationPostgresTest {
    private static final GuardOptions DEFAULTS = GuardOptions.defaults();
    private static final Guard COVERAGE = Guard.of(Hospital.COVERAGE, DEFAULTS);

    /** Everything that an installation could leave behind; the guard table is shared and stays. */
    private static final String CATALOG = """
            SELECT 'trigger ' || tgname FROM pg_trigger WHERE NOT tgisinternal
            UNION ALL SELECT 'function ' || proname FROM pg_proc
              WHERE pronamespace IN ('public'::regnamespace, to_regnamespace('cerrojo')) AND prolang <>
                (SELECT oid FROM pg_language WHERE lanname = 'c')
            UNION ALL SELECT 'constraint ' || conname FROM pg_constraint
              WHERE connamespace IN ('public'::regnamespace, to_regnamespace('cerrojo')) AND conname <> 'guard_pkey'
                AND contype <> 'n'
            UNION ALL SELECT 'relation ' || relname FROM pg_class
              WHERE relnamespace IN ('public'::regnamespace, to_regnamespace('cerrojo')) AND relname NOT LIKE 'guard%'
            ORDER BY 1""";

    @Test
    void dataThatBreaksTheInvariantIsListedAndNothingInstalled() throws SQLException {
        try (Hospital hospital = new Hospital()) {
            Session session = hospital.session();
            session.run("DELETE FROM on_call WHERE shift_id = 2");
            List<String> before = session.rows(CATALOG);

            ServerErrorMessage error = session.error(COVERAGE.installSql());
            assertThat(error.getSQLState()).isEqualTo("23514");
            assertThat(error.getConstraint()).isEqualTo("on_call_coverage");
            assertThat(error.getMessage())
                    .isEqualTo("invariant on_call_coverage does not hold yet, so its guard was not installed");
            assertThat(error.getDetail()).endsWith("{\"id\":2,\"count\":0,\"at_least\":1}");
            assertThat(session.rows(CATALOG)).isEqualTo(before);
        }
    }

    @Test
    void listOfViolatingRowsIsBounded() throws SQLException {
        try (Hospital hospital = new Hospital()) {
            hospital.session().run("INSERT INTO shift SELECT g, true FROM generate_series(100, 199) AS g");

            assertThat(hospital.session().error(COVERAGE.installSql()).getDetail())
                    .startsWith("Violating rows (at most 20): {\"id\":100,")
                    .contains("{\"id\":119,")
                    .doesNotContain("{\"id\":120,");
        }
    }

    @Test
    void writersWaitUntilTheInstallationEnds() throws Exception {
        try (Hospital hospital = new Hospital();
                Session installer = hospital.newSession();
                Session writer = hospital.newSession()) {
            installer.run("BEGIN");
            installer.run(COVERAGE.installStatements());
            CompletableFuture<String> waiting = writer.start("DELETE FROM on_call WHERE shift_id = 1");
            writer.awaitBlockedBy(installer, hospital.session());
            installer.run("COMMIT");

            assertThat(Session.await(waiting)).isEqualTo("23514");
        }
    }

    @Test
    void installationWaitsForWritersAndSeesWhatTheyLeft() throws Exception {
        try (Hospital hospital = new Hospital();
                Session installer = hospital.newSession();
                Session writer = hospital.newSession()) {
            writer.run("BEGIN; DELETE FROM on_call WHERE shift_id = 1");
            CompletableFuture<String> waiting = installer.start(COVERAGE.installSql());
            installer.awaitBlockedBy(writer, hospital.session());
            writer.run("COMMIT");

            assertThat(Session.await(waiting)).isEqualTo("23514");
        }
    }

    static final List<Guard> GUARDS = List.of(
            COVERAGE,
            TriggerGuard.of(Hospital.COVERAGE, new GuardOptions("public", "cerrojo", true, true)),
            Guard.of(unique(), DEFAULTS),
            Guard.of(unique(), DEFAULTS.withDeferred(true)),
            Guard.of(
                    global(
                            "no_overlap",
                            new Rule.NoOverlap("on_call", List.of(element("shift_id", "=")), Optional.of("false"))),
                    DEFAULTS),
            Guard.of(
                    global("rows", violatedBy("SELECT 1 WHERE false", watch("on_call", ""), watch("shift", ""))),
                    DEFAULTS));

    private static Invariant unique() {
        return global("one", new Rule.Unique("on_call", List.of("shift_id", "doctor"), Optional.of("active")));
    }

    @ParameterizedTest
    @FieldSource("GUARDS")
    void dropLeavesNothingBehind(Guard guard) throws SQLException {
        try (Hospital hospital = new Hospital()) {
            Session session = hospital.session();
            List<String> before = session.rows(CATALOG);

            session.run(guard.installSql());
            assertThat(session.rows(CATALOG)).hasSizeGreaterThan(before.size());
            session.run("DELETE FROM on_call WHERE doctor = 'A'");
            session.run(guard.dropSql());

            assertThat(session.rows(CATALOG)).isEqualTo(before);
            assertThat(session.rows("SELECT nspname FROM pg_namespace WHERE nspname = 'cerrojo'")
                                    .isEmpty()
                            || session.rows("SELECT * FROM cerrojo.guard").isEmpty())
                    .isTrue();
            session.run(guard.dropSql());
            session.run(guard.installSql());
        }
    }

    @ParameterizedTest
    @FieldSource("GUARDS")
    void everyObjectSaysWhereItComesFrom(Guard guard) throws SQLException {
        try (Hospital hospital = new Hospital()) {
            Session session = hospital.session();
            session.run(guard.installSql());

            assertThat(session.rows("""
                            SELECT coalesce(obj_description(oid, 'pg_trigger'), 'trigger ' || tgname) FROM pg_trigger
                              WHERE NOT tgisinternal
                            UNION ALL SELECT coalesce(obj_description(oid, 'pg_proc'), 'function ' || proname) FROM pg_proc
                              WHERE pronamespace = to_regnamespace('cerrojo')
                            UNION ALL SELECT coalesce(obj_description(oid, 'pg_constraint'), 'constraint ' || conname)
                              FROM pg_constraint WHERE contype = 'x'
                            UNION ALL SELECT coalesce(obj_description(oid, 'pg_class'), 'index ' || relname)
                              FROM pg_class WHERE relname = 'one' AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE contype = 'x')
                            """))
                    .isNotEmpty()
                    .allMatch(comment ->
                            comment.startsWith("Guard of invariant ") && comment.contains("Generated by Cerrojo"));
        }
    }

    @Test
    void installationDoesNotDependOnTheSearchPath() throws SQLException {
        try (Hospital hospital = new Hospital()) {
            Session session = hospital.session();
            session.run("CREATE SCHEMA elsewhere; SET search_path = elsewhere");
            session.run(COVERAGE.installSql());

            assertThat(session.value("SHOW search_path")).isEqualTo("elsewhere");
            assertThat(session.sqlState("DELETE FROM public.on_call")).isEqualTo("23514");
            session.run(COVERAGE.dropSql());
            session.run("DELETE FROM public.on_call");
        }
    }

    @Test
    void statementsMayRunOneByOneWithoutATransaction() throws SQLException {
        try (Hospital hospital = new Hospital().guarded()) {
            assertThat(hospital.session().sqlState("DELETE FROM on_call")).isEqualTo("23514");
        }
    }

    @Test
    void secondInstallationIsRefused() throws SQLException {
        try (Hospital hospital = new Hospital().guarded()) {
            ServerErrorMessage error = hospital.session().error(COVERAGE.installSql());

            assertThat(error.getSQLState()).isEqualTo("42710");
            assertThat(error.getMessage()).isEqualTo("guard of invariant on_call_coverage is installed already");
        }
    }

    @Test
    void dropDoesNotNeedTheTablesToExist() throws SQLException {
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            for (Guard guard : GUARDS) {
                session.run(guard.dropSql());
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "numeric|numeric",
                "int|text",
                "int|numeric(10,0)",
                "timestamptz|timestamptz",
                "double precision|double precision",
                "text COLLATE ignore_case|text COLLATE ignore_case"
            })
    void scopesWhoseTextIsNotTheirIdentityAreRefused(String keyType, String columnType) throws SQLException {
        Invariant some =
                scoped("some", Scope.table("parent", "id"), "", new Rule.AtLeast(1, rows("child", "parent_id", "")));
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run(
                    "CREATE COLLATION ignore_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
            session.run(
                    "CREATE TABLE parent (id %s); CREATE TABLE child (parent_id %s)".formatted(keyType, columnType));

            ServerErrorMessage error = session.error(Guard.of(some, DEFAULTS).installSql());
            assertThat(error.getSQLState()).isEqualTo("42804");
            assertThat(error.getMessage())
                    .startsWith("scopes of invariant some cannot be told apart by their text: ")
                    .contains("parent(id) is ")
                    .contains("child(parent_id) is ");
        }
    }

    @Test
    void scopesOfWatchesAreCheckedToo() throws SQLException {
        Invariant some = scoped(
                "some",
                Scope.table("parent", "id"),
                "",
                violatedBy("SELECT 1 WHERE false", watch("child", "parent_id / 1.0")));
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("CREATE TABLE parent (id int); CREATE TABLE child (parent_id int)");

            assertThat(session.error(Guard.of(some, DEFAULTS).installSql()).getMessage())
                    .contains("child(parent_id / 1.0) is numeric");
        }
    }

    /** Or every write to the table would fail. */
    @Test
    void aWatchOfAColumnThatIsNotThereIsRefused() throws SQLException {
        Invariant some = scoped(
                "some",
                Scope.table("parent", "id"),
                "",
                violatedBy("SELECT 1 WHERE false", watch("child", "parentid")));
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("CREATE TABLE parent (id int); CREATE TABLE child (parent_id int)");

            assertThat(session.error(Guard.of(some, DEFAULTS).installSql()).getMessage())
                    .contains("column \"parentid\" does not exist");
        }
    }

    /** Equal scopes would have several guard rows. */
    @Test
    void aWatchOfAnExpressionWhoseCollationTakesSeveralTextsForOneIsRefused() throws SQLException {
        Invariant some = scoped(
                "some",
                Scope.table("parent", "id"),
                "",
                violatedBy("SELECT 1 WHERE false", watch("child", "parent_id || ''")));
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);"
                    + " CREATE TABLE parent (id text); CREATE TABLE child (parent_id text COLLATE ci)");

            assertThat(session.error(Guard.of(some, DEFAULTS).installSql()).getMessage())
                    .contains("child(parent_id || '') is text");
            session.run("ALTER TABLE child ALTER COLUMN parent_id TYPE text COLLATE \"C\"");
            session.run(Guard.of(some, DEFAULTS).installSql());
        }
    }

    private enum Unfit {
        PARTITION(
                "CREATE TABLE all_children (parent_id int) PARTITION BY LIST (parent_id);"
                        + " CREATE TABLE child PARTITION OF all_children DEFAULT",
                "child, which is a partition or child of another table"),
        INHERITOR(
                "CREATE TABLE base (parent_id int); CREATE TABLE child () INHERITS (base)",
                "child, which is a partition or child of another table"),
        BELOW_TWO(
                "CREATE TABLE child (parent_id int); CREATE TABLE base (parent_id int);"
                        + " CREATE TABLE both_of () INHERITS (child, base)",
                "both_of, which is a partition or child of another table"),
        FOREIGN_PARTITION(
                "CREATE FOREIGN DATA WRAPPER w; CREATE SERVER s FOREIGN DATA WRAPPER w;"
                        + " CREATE TABLE child (parent_id int) PARTITION BY LIST (parent_id);"
                        + " CREATE FOREIGN TABLE far PARTITION OF child DEFAULT SERVER s",
                "far, which is a foreign table below another table"),
        ROW_SECURITY(
                "CREATE TABLE child (parent_id int); ALTER TABLE child ENABLE ROW LEVEL SECURITY",
                "child, which has row-level security"),
        ROW_SECURITY_BELOW(
                "CREATE TABLE child (parent_id int) PARTITION BY LIST (parent_id); CREATE TABLE leaf PARTITION OF child"
                        + " DEFAULT; ALTER TABLE leaf ENABLE ROW LEVEL SECURITY",
                "leaf, which has row-level security"),
        VIEW("CREATE VIEW child AS SELECT 1 AS parent_id", "child, which is a view"),
        MATERIALIZED_VIEW(
                "CREATE MATERIALIZED VIEW child AS SELECT 1 AS parent_id", "child, which is a materialized view"),
        FOREIGN_TABLE(
                "CREATE FOREIGN DATA WRAPPER w; CREATE SERVER s FOREIGN DATA WRAPPER w;"
                        + " CREATE FOREIGN TABLE child (parent_id int) SERVER s",
                "child, which is a foreign table"),
        SEQUENCE("CREATE SEQUENCE child", "child, which is no table");

        private final String sql;
        private final String reason;

        Unfit(String sql, String reason) {
            this.sql = sql;
            this.reason = reason;
        }
    }

    @ParameterizedTest
    @EnumSource(Unfit.class)
    void tablesThatTriggersCannotKeepAreRefused(Unfit unfit) throws SQLException {
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("CREATE TABLE parent (id int); " + unfit.sql);

            ServerErrorMessage error =
                    session.error(Guard.of(CHILDREN, DEFAULTS).installSql());
            assertThat(error.getSQLState()).isEqualTo("0A000");
            assertThat(error.getMessage()).isEqualTo("invariant some cannot be guarded on " + unfit.reason);
        }
    }

    private static final Invariant CHILDREN =
            scoped("some", Scope.table("parent", "id"), "", new Rule.AtLeast(1, rows("child", "parent_id", "")));

    /** Each relation is one that PostgreSQL would let a trigger or an index be asked for. */
    @ParameterizedTest
    @EnumSource(
            value = Unfit.class,
            names = {"VIEW", "MATERIALIZED_VIEW", "FOREIGN_TABLE", "SEQUENCE"})
    void constraintsOnThemAreRefusedToo(Unfit unfit) throws SQLException {
        Invariant unique = global("some", new Rule.Unique("child", List.of("parent_id"), Optional.empty()));
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run(unfit.sql);

            assertThat(session.error(Guard.of(unique, DEFAULTS).installSql()).getMessage())
                    .isEqualTo("invariant some cannot be guarded on " + unfit.reason);
        }
    }

    /** A unique index of a table does not see the rows of tables that inherit from it. */
    @Test
    void constraintOnATableWithChildrenIsRefused() throws SQLException {
        Invariant unique = global("some", new Rule.Unique("child", List.of("parent_id"), Optional.empty()));
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("CREATE TABLE child (parent_id int); CREATE TABLE grandchild () INHERITS (child)");

            assertThat(session.error(Guard.of(unique, DEFAULTS).installSql()).getMessage())
                    .isEqualTo("invariant some cannot be guarded on child, which has children");
        }
    }

    /** Since PostgreSQL 18; every write to the table would fail then. */
    @Test
    void virtualColumnsAreRefusedWhereTheyAreRead() throws SQLException {
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            assumeTrue(session.connection().getMetaData().getDatabaseMajorVersion() >= 18);
            session.run(
                    "CREATE TABLE org (id int PRIMARY KEY);"
                            + " CREATE TABLE member (org_id int, role text, admin boolean GENERATED ALWAYS AS (role = 'a') VIRTUAL)");
            Guards guards = Guards.over(database.dataSource());

            assertThatThrownBy(() -> guards.install(admins("Admin"), Installation.defaults()))
                    .isInstanceOf(GuardNotPossibleException.class)
                    .hasMessageContaining("member, whose column admin is generated when it is read");
            guards.install(admins("role = 'a'"), Installation.defaults());
            assertThat(guards.verify(admins("role = 'a'"))).isEmpty();
            session.run("INSERT INTO org VALUES (1)");
        }
    }

    private static Guard admins(String which) {
        return TriggerGuard.of(
                scoped("admins", Scope.table("org", "id"), "", new Rule.AtMost(2, rows("member", "org_id", which))),
                GuardOptions.defaults());
    }

    /** Only who may create schemas may run CREATE SCHEMA IF NOT EXISTS, though it creates none. */
    @Test
    void anOwnerOfTablesNeedsNoRightToCreateSchemas() throws SQLException {
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            String name = session.value("SELECT current_database()");
            String owner = "owner_" + name;
            session.run(new GuardTable("cerrojo").createStatements());
            session.run("CREATE TABLE org (id int PRIMARY KEY); CREATE TABLE member (org_id int, role text)");
            try {
                session.run("""
                        CREATE ROLE {owner};
                        GRANT ALL ON SCHEMA public, cerrojo TO {owner};
                        ALTER TABLE org OWNER TO {owner};
                        ALTER TABLE member OWNER TO {owner};
                        ALTER TABLE cerrojo.guard OWNER TO {owner};
                        ALTER DATABASE {name} SET role = {owner}""".replace("{owner}", owner).replace("{name}", name));

                assertThat(Guards.over(database.dataSource()).install(admins("true"), Installation.defaults()))
                        .isEqualTo(Installation.Outcome.INSTALLED);
            } finally {
                session.run("ALTER DATABASE " + name + " RESET role; DROP OWNED BY " + owner + "; DROP ROLE " + owner);
            }
        }
    }

    @Test
    void temporaryTablesAreRefused() throws SQLException {
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("CREATE TEMP TABLE parent (id int); CREATE TEMP TABLE child (parent_id int)");
            String temporary = session.value("SELECT pg_my_temp_schema()::regnamespace");

            assertThat(catchThrowable(() -> Guard.of(CHILDREN, DEFAULTS.withSchema(temporary))))
                    .isInstanceOf(GuardNotPossibleException.class)
                    .hasMessageContaining("which is of the system or temporary");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pg_catalog.pg_class", "information_schema.sql_features", "pg_temp.child"})
    void tablesOfTheSystemAreRefusedBeforeAnythingIsPrinted(String table) {
        Invariant some = global("some", new Rule.AtLeast(1, new Rule.Rows(table, Optional.empty(), Optional.empty())));
        Invariant unique = global("some", new Rule.Unique(table, List.of("a"), Optional.empty()));

        for (Invariant invariant : List.of(some, unique)) {
            assertThat(catchThrowable(() -> Guard.of(invariant, DEFAULTS)))
                    .isInstanceOf(GuardNotPossibleException.class)
                    .hasMessageContaining(table);
        }
    }
}

package dev.cerrojo.explorer.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;

/** When transactions of Java code begin: the driver sends BEGIN with the first statement, and {@code now()} is the time of it. */
class BeginningsPostgresTest {
    private final TestDatabase database = TestDatabase.create();

    @BeforeEach
    void tables() throws SQLException {
        execute("""
                CREATE TABLE counter (n int NOT NULL);
                INSERT INTO counter VALUES (0);
                CREATE TABLE apart (id text PRIMARY KEY, n int NOT NULL);
                INSERT INTO apart VALUES ('A', 0), ('B', 0);
                CREATE TABLE noted (name text NOT NULL, n int NOT NULL, at timestamptz)""");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** By what the time comes into the table. */
    enum Clock {
        STATEMENT(""),
        BOUND(""),
        DEFAULT("ALTER TABLE noted ALTER at SET DEFAULT now()"),
        TRIGGER("""
                CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN NEW.at := current_timestamp; RETURN NEW; END $$;
                CREATE TRIGGER stamp BEFORE INSERT ON noted FOR EACH ROW EXECUTE FUNCTION stamp()"""),
        FUNCTION("CREATE FUNCTION today() RETURNS timestamptz LANGUAGE sql BEGIN ATOMIC SELECT now(); END"),
        VIEW("CREATE VIEW clock AS SELECT transaction_timestamp() AS t");

        private final String setup;

        Clock(String setup) {
            this.setup = setup;
        }

        String insert(String name) {
            return switch (this) {
                case DEFAULT, TRIGGER -> "INSERT INTO noted (name, n) SELECT '" + name + "', n FROM counter";
                case STATEMENT -> "INSERT INTO noted SELECT '" + name + "', n, now() FROM counter";
                case BOUND -> "INSERT INTO noted SELECT '" + name + "', n, ?::timestamptz FROM counter";
                case FUNCTION -> "INSERT INTO noted SELECT '" + name + "', n, today() FROM counter";
                case VIEW -> "INSERT INTO noted SELECT '" + name + "', n, t FROM counter, clock";
            };
        }
    }

    /** Begins with something that meets nothing, then counts, then notes who it was and when it began. */
    private static SessionBody counts(Interleavings race, String name, Clock clock, boolean byStatement) {
        return () -> {
            try (Connection connection = race.dataSource().getConnection();
                    Statement sql = connection.createStatement()) {
                if (byStatement) {
                    sql.execute("BEGIN");
                } else {
                    connection.setAutoCommit(false);
                    sql.execute("SELECT FROM apart WHERE id = '" + name + "'");
                }
                sql.executeUpdate("UPDATE counter SET n = n + 1");
                try (var insert = connection.prepareStatement(clock.insert(name))) {
                    if (clock == Clock.BOUND) {
                        insert.setString(1, "now");
                    }
                    insert.executeUpdate();
                }
                if (byStatement) {
                    sql.execute("COMMIT");
                } else {
                    connection.commit();
                }
            }
        };
    }

    private Interleavings race(Search.Mode mode) {
        Interleavings.Settings standard = Interleavings.Settings.standard();
        return new Interleavings(
                        new Interleavings.Settings(standard.bounds(), mode, standard.disposable(), Optional.empty()))
                .over(database.dataSource());
    }

    /** {@return in which orders the sessions can count, and have begun} */
    private Set<String> endings(Search.Mode mode, Clock clock, boolean byStatement) {
        Set<String> endings = new TreeSet<>();
        Interleavings race = race(mode);
        race.session("A", counts(race, "A", clock, byStatement))
                .session("B", counts(race, "B", clock, byStatement))
                .holds("seen", () -> endings.add(ending()));
        assertThat(race.explore().verdict()).isEqualTo(Verdict.HOLDS);
        return endings;
    }

    private String ending() throws SQLException {
        try (Connection connection = database.connect();
                Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery(
                        "SELECT 'counted ' || string_agg(name, '' ORDER BY n) || ', begun ' || string_agg(name, '' ORDER BY at)"
                                + " FROM noted")) {
            row.next();
            return row.getString(1);
        }
    }

    private static final String[] ALL = {
        "counted AB, begun AB", "counted AB, begun BA", "counted BA, begun AB", "counted BA, begun BA"
    };

    @ParameterizedTest
    @EnumSource
    void everyOrderOfBeginningsIsRun(Clock clock) throws SQLException {
        execute(clock.setup);

        assertThat(endings(Search.Mode.REDUCED, clock, false)).containsExactly(ALL);
    }

    @ParameterizedTest
    @EnumSource
    void aBeginOfTheCodesIsAStepWhereItsTimeCanBeTold(Clock clock) throws SQLException {
        execute(clock.setup);

        assertThat(endings(Search.Mode.REDUCED, clock, true)).containsExactly(ALL);
    }

    @Test
    void aScheduleWithBeginsIsReplayedExactly() {
        ReplayToken token =
                betweenBegins(Optional.empty()).example().orElseThrow().token();

        Findings again = betweenBegins(Optional.of(token));

        assertThat(token.toString()).startsWith("3:");
        assertThat(again.summary()).startsWith("VIOLATED: the replayed schedule " + token + " ends with");
    }

    private Findings betweenBegins(Optional<ReplayToken> replay) {
        Interleavings.Settings standard = Interleavings.Settings.standard();
        Interleavings race = new Interleavings(
                        new Interleavings.Settings(standard.bounds(), standard.mode(), standard.disposable(), replay))
                .over(database.dataSource());
        return race.session("A", counts(race, "A", Clock.STATEMENT, true))
                .session("B", counts(race, "B", Clock.STATEMENT, true))
                .holds("who began first counts first", "SELECT FROM noted a, noted b WHERE a.at < b.at AND a.n > b.n")
                .explore();
    }

    @Test
    void whatTheDriverAsksForAMethodOfItsOwnIsAStep() {
        Interleavings race = race(Search.Mode.REDUCED);
        SessionBody asks = () -> {
            try (Connection connection = race.dataSource().getConnection();
                    Statement sql = connection.createStatement()) {
                connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                connection.setAutoCommit(false);
                try (ResultSet tables = connection.getMetaData().getTables(null, null, "counter", null)) {
                    assertThat(tables.next()).isTrue();
                }
                sql.executeUpdate("UPDATE counter SET n = n + 1");
                connection.commit();
            }
        };
        race.session("asks", asks)
                .session("counts", () -> {
                    try (Connection connection = race.dataSource().getConnection();
                            Statement sql = connection.createStatement()) {
                        sql.executeUpdate("UPDATE counter SET n = n + 1");
                    }
                })
                .neverFails();

        Findings findings = race.explore();

        assertThat(findings.text()).contains("40001").contains("JDBC: getTables");
    }

    @Test
    void aTransactionBegunPastTheGatesIsRefused() {
        Interleavings race = race(Search.Mode.REDUCED);
        race.session("past the gates", () -> {
                    try (Connection connection = race.dataSource().getConnection();
                            Statement sql = connection.createStatement()) {
                        connection.setAutoCommit(false);
                        try (Statement real = ((Connection) connection.unwrap(PGConnection.class)).createStatement()) {
                            real.execute("SELECT n FROM counter");
                        }
                        sql.executeUpdate("UPDATE counter SET n = n + 1");
                        connection.commit();
                    }
                })
                .neverFails();

        assertThatThrownBy(race::explore)
                .isInstanceOf(NotExplorableException.class)
                .hasMessageContaining("session A began a transaction in a way that is not seen");
    }

    @Test
    void runningEveryScheduleFindsNoMore() {
        assertThat(endings(Search.Mode.EXHAUSTIVE, Clock.STATEMENT, false)).containsExactly(ALL);
        assertThat(endings(Search.Mode.EXHAUSTIVE, Clock.STATEMENT, true)).containsExactly(ALL);
    }
}

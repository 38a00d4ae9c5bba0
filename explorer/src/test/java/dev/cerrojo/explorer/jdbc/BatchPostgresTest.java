package dev.cerrojo.explorer.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.schedule.TraceEvent;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.testsupport.TestDatabase;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class BatchPostgresTest {
    private static final String BOOK = "UPDATE seat SET holder = ? WHERE number = ?";

    private final TestDatabase database = TestDatabase.create();
    private final Interleavings race = new Interleavings().over(database.dataSource());

    @BeforeEach
    void seats() throws SQLException {
        try (Connection connection = database.connect();
                Statement sql = connection.createStatement()) {
            sql.execute("""
                    CREATE TABLE seat (number int PRIMARY KEY, holder text, since date, photo bytea);
                    INSERT INTO seat VALUES (1), (2);
                    CREATE TABLE ticket (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, seat int UNIQUE)""");
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    private SessionBody books(boolean autoCommit, String holder, int... seats) {
        return () -> {
            try (Connection connection = race.dataSource().getConnection();
                    PreparedStatement sql = connection.prepareStatement(BOOK)) {
                connection.setAutoCommit(autoCommit);
                for (int seat : seats) {
                    sql.setString(1, holder);
                    sql.setInt(2, seat);
                    sql.addBatch();
                }
                assertThat(sql.executeBatch()).hasSize(seats.length).containsOnly(1);
                if (!autoCommit) {
                    connection.commit();
                }
            }
        };
    }

    private static List<String> steps(Findings findings) {
        return findings.example().orElseThrow().execution().trace().events().stream()
                .filter(TraceEvent.Started.class::isInstance)
                .map(event -> ((TraceEvent.Started) event).step().sql())
                .toList();
    }

    @Test
    void eachEntryIsAStepAndWithAutocommitTheyCommitTogether() {
        race.session("books", books(true, "Ana", 1, 2)).holds("never", "SELECT 1");

        Findings findings = race.explore();

        assertThat(steps(findings))
                .containsExactly(BOOK + " -- 1 of a batch of 2", BOOK + " -- 2 of a batch of 2", "COMMIT");
        assertThat(findings.text()).contains("1='Ana', 2=1").contains("1='Ana', 2=2");
    }

    @Test
    void batchesInDifferentOrdersDeadlock() {
        race.session("one way", books(false, "Ana", 1, 2))
                .session("the other", books(false, "Ben", 2, 1))
                .neverDeadlocks();

        assertThat(race.explore().verdict()).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void batchesInOneOrderDoNot() {
        race.session("one", books(true, "Ana", 1, 2))
                .session("another", books(true, "Ben", 1, 2))
                .neverDeadlocks();

        assertThat(race.explore().summary()).startsWith("HOLDS").contains("(complete at statement granularity, 6 ");
    }

    @Test
    void aBatchOfTextsIsOneOfStatements() {
        race.session("books", () -> {
                    try (Connection connection = race.dataSource().getConnection();
                            Statement sql = connection.createStatement()) {
                        sql.addBatch("SELECT nonsense");
                        sql.clearBatch();
                        sql.addBatch("UPDATE seat SET holder = 'Ana' WHERE number = 1");
                        sql.addBatch("UPDATE seat SET holder = 'Ana'");
                        assertThat(sql.executeLargeBatch()).containsExactly(1, 2);
                        assertThat(sql.executeBatch()).isEmpty();
                    }
                })
                .holds("never", "SELECT 1");

        assertThat(steps(race.explore())).hasSize(3).last().isEqualTo("COMMIT");
    }

    @Test
    void valuesAreThoseOfWhenTheEntryWasAdded() {
        race.session("books", () -> {
                    try (Connection connection = race.dataSource().getConnection();
                            PreparedStatement sql =
                                    connection.prepareStatement("UPDATE seat SET since = ? WHERE number = ?")) {
                        Date date = Date.valueOf("2026-01-01");
                        sql.setDate(1, date);
                        sql.setInt(2, 1);
                        sql.addBatch();
                        date.setTime(Date.valueOf("2026-01-02").getTime());
                        sql.setInt(2, 2);
                        sql.addBatch();
                        sql.executeBatch();
                    }
                })
                .holds("one day", "SELECT FROM seat WHERE since <> date '2026-01-01'")
                .check();
    }

    @Test
    void streamsAreReadOnce() {
        race.session("books", () -> {
                    try (Connection connection = race.dataSource().getConnection();
                            PreparedStatement sql = connection.prepareStatement(
                                    "UPDATE seat SET holder = ?, photo = ? WHERE number = ?")) {
                        for (int seat = 1; seat <= 2; seat++) {
                            sql.setCharacterStream(1, new StringReader("Ana"), 3);
                            sql.setBinaryStream(2, new ByteArrayInputStream(new byte[] {7}));
                            sql.setInt(3, seat);
                            sql.addBatch();
                        }
                        sql.executeBatch();
                    }
                })
                .holds(
                        "all written",
                        "SELECT FROM seat WHERE holder IS DISTINCT FROM 'Ana' OR photo IS DISTINCT FROM '\\x07'")
                .check();
    }

    @Test
    void anEntryThatFailsIsNamedAsTheDriverDoes() {
        race.session("books twice", () -> {
                    try (Connection connection = race.dataSource().getConnection();
                            PreparedStatement sql =
                                    connection.prepareStatement("INSERT INTO ticket (seat) VALUES (?)")) {
                        for (int i = 0; i < 2; i++) {
                            sql.setInt(1, 7);
                            sql.addBatch();
                        }
                        assertThatThrownBy(sql::executeBatch)
                                .isExactlyInstanceOf(BatchUpdateException.class)
                                .hasMessageStartingWith("Batch entry 1 INSERT INTO ticket")
                                .hasFieldOrPropertyWithValue("SQLState", "23505")
                                .hasFieldOrPropertyWithValue("updateCounts", new int[] {-3, -3});
                    }
                })
                .session("reads", () -> {
                    try (Connection connection = race.dataSource().getConnection();
                            Statement sql = connection.createStatement()) {
                        sql.execute("SELECT FROM ticket");
                    }
                })
                .holds("all or nothing", "SELECT FROM ticket")
                .check();
    }

    @Test
    void aBatchThatReturnsKeysIsOneStepAndTheVerdictSaysSo() {
        race.session("sells", () -> {
                    try (Connection connection = race.dataSource().getConnection();
                            PreparedStatement sql = connection.prepareStatement(
                                    "INSERT INTO ticket (seat) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
                        for (int seat = 1; seat <= 2; seat++) {
                            sql.setInt(1, seat);
                            sql.addBatch();
                        }
                        sql.executeBatch();
                        try (ResultSet keys = sql.getGeneratedKeys()) {
                            assertThat(keys.next()).isTrue();
                            assertThat(keys.next()).isTrue();
                            assertThat(keys.next()).isFalse();
                        }
                    }
                })
                .neverFails();

        assertThat(race.explore().summary())
                .contains(
                        "complete at statement granularity, but a batch that returns keys is one step, 1 schedule run");
    }

    @Test
    void aBatchThatTheDriverMakesOneInsertOfIsOneStep() {
        PGSimpleDataSource rewriting = new PGSimpleDataSource();
        rewriting.setUrl(database.jdbcUrl());
        rewriting.setReWriteBatchedInserts(true);
        Interleavings one = new Interleavings().over(rewriting);
        one.session("sells", () -> {
                    try (Connection connection = one.dataSource().getConnection();
                            PreparedStatement sql =
                                    connection.prepareStatement("INSERT INTO ticket (seat) VALUES (?)")) {
                        for (int seat = 1; seat <= 2; seat++) {
                            sql.setInt(1, seat);
                            sql.addBatch();
                        }
                        sql.executeBatch();
                    }
                })
                .holds("never", "SELECT 1");

        assertThat(steps(one.explore()))
                .containsExactly("INSERT INTO ticket (seat) VALUES (?) -- batch of 2", "COMMIT");
    }
}

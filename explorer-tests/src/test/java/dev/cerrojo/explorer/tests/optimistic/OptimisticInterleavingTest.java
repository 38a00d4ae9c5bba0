package dev.cerrojo.explorer.tests.optimistic;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.StaleVersionException;
import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.junit.InterleavingTest;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.optimistic.OptimisticTable;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Isolation;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionOptions;
import dev.cerrojo.tx.Transactions;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Updaters of one row, in every order. */
class OptimisticInterleavingTest {
    private static final int SIZE = 5;

    private final OptimisticTable articles = OptimisticTable.of("article", "id", "version");
    private final TestDatabase database = TestDatabase.create();
    private final HikariDataSource setup = Pools.hikari(database, 1);
    private HikariDataSource pool = setup;
    private final List<String> saved = new CopyOnWriteArrayList<>();

    @BeforeEach
    void article() throws SQLException {
        Pools.execute(setup, """
                CREATE TABLE article (id int PRIMARY KEY, views int NOT NULL, version bigint NOT NULL DEFAULT 0);
                INSERT INTO article VALUES (7, 0)""");
    }

    @AfterEach
    void close() {
        pool.close();
        setup.close();
        database.close();
    }

    private Transactions transactions(Interleavings race, Isolation level) {
        pool = Pools.hikari(database, SIZE, level);
        return Transactions.over(
                race.over(pool).dataSource(),
                TransactionOptions.builder()
                        .backoff(Duration.ZERO, Duration.ZERO)
                        .deadline(Duration.ofMinutes(10))
                        .build());
    }

    /** Each reads the row and adds one, and says so when that is committed. */
    private Interleavings viewers(Interleavings race, Isolation level, int viewers) {
        Transactions transactions = transactions(race, level);
        for (int i = 1; i <= viewers; i++) {
            String viewer = "viewer " + i;
            race.session(viewer, () -> {
                articles.change(transactions, 7, row -> Map.of("views", (Integer) row.get("views") + 1));
                saved.add(viewer);
            });
        }
        return counted(race);
    }

    private Interleavings counted(Interleavings race) {
        return race.beforeEach(saved::clear)
                .holds("no view is lost", () -> assertThat(views()).isEqualTo(saved.size()));
    }

    private int views() throws SQLException {
        return Transactions.over(database.dataSource()).call(OptimisticInterleavingTest::views);
    }

    private static int views(Transaction tx) throws SQLException {
        try (PreparedStatement read = tx.connection().prepareStatement("SELECT views FROM article WHERE id = 7");
                ResultSet row = read.executeQuery()) {
            row.next();
            return row.getInt(1);
        }
    }

    @InterleavingTest
    void twoAtReadCommitted(Interleavings race) {
        viewers(race, Isolation.READ_COMMITTED, 2).neverFails();
    }

    @InterleavingTest
    void twoAtRepeatableRead(Interleavings race) {
        viewers(race, Isolation.REPEATABLE_READ, 2).neverFails();
    }

    @InterleavingTest
    void twoAtSerializable(Interleavings race) {
        viewers(race, Isolation.SERIALIZABLE, 2).neverFails();
    }

    /** All have read version 0, and save: one of them is saved, the others are told. */
    private Interleavings editors(Interleavings race, Isolation level, int editors) {
        Transactions transactions = transactions(race, level);
        for (int i = 1; i <= editors; i++) {
            int editor = i;
            race.session("editor " + i, () -> {
                transactions.run(tx -> articles.update(tx, 7, 0, Map.of("views", editor)));
                saved.add("editor " + editor);
            });
        }
        return race.beforeEach(saved::clear)
                .mayRefuse(StaleVersionException.class)
                .holds("one is saved", () -> assertThat(saved).containsExactly("editor " + views()))
                .neverFails();
    }

    @InterleavingTest
    void ofTwoEditorsAtReadCommittedOneIsSaved(Interleavings race) {
        editors(race, Isolation.READ_COMMITTED, 2);
    }

    /** One COMMIT lets two go on, and which of them comes first cannot be chosen: never complete, so a hundred will do. */
    @InterleavingTest(maxSchedules = 100)
    void ofThreeEditorsAtReadCommittedOneIsSaved(Interleavings race) {
        Findings findings = editors(race, Isolation.READ_COMMITTED, 3).explore();

        assertThat(findings.verdict()).as(findings.text()).isNotEqualTo(Verdict.VIOLATED);
    }

    @InterleavingTest(timeoutSeconds = 240)
    void ofThreeEditorsAtRepeatableReadOneIsSaved(Interleavings race) {
        editors(race, Isolation.REPEATABLE_READ, 3);
    }

    @InterleavingTest(timeoutSeconds = 240)
    void ofThreeEditorsAtSerializableOneIsSaved(Interleavings race) {
        editors(race, Isolation.SERIALIZABLE, 3);
    }

    /** The control: the same without the comparison. */
    @InterleavingTest
    void withoutTheComparisonAViewIsLost(Interleavings race) {
        Transactions transactions = transactions(race, Isolation.READ_COMMITTED);
        for (int i = 1; i <= 2; i++) {
            String viewer = "viewer " + i;
            race.session(viewer, () -> {
                transactions.run(tx -> {
                    String update = "UPDATE article SET views = %d, version = version + 1 WHERE id = 7"
                            .formatted(views(tx) + 1);
                    try (PreparedStatement statement = tx.connection().prepareStatement(update)) {
                        statement.executeUpdate();
                    }
                });
                saved.add(viewer);
            });
        }

        Findings findings = counted(race).explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.VIOLATED);
    }
}

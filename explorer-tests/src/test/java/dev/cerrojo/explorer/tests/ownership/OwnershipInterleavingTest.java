package dev.cerrojo.explorer.tests.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.StaleVersionException;
import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.explorer.tests.guards.ProofTable;
import dev.cerrojo.ownership.OwnershipOptions;
import dev.cerrojo.ownership.OwnershipTrigger;
import dev.cerrojo.ownership.OwnershipTriggers;
import dev.cerrojo.schema.Installation;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Isolation;
import dev.cerrojo.tx.TransactionOptions;
import dev.cerrojo.tx.Transactions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two writers of one row in every order, at every level: what is committed is still there at the end. */
class OwnershipInterleavingTest {
    private static final ProofTable TABLE = ProofTable.byLevel("ownership.md", "two writers of one row");

    private static final Map<Isolation, HikariDataSource> POOLS = new EnumMap<>(Isolation.class);

    private static TestDatabase database;
    private static DataSource setup;

    private final Set<Writer> committed = ConcurrentHashMap.newKeySet();

    static Stream<Arguments> races() {
        return Arrays.stream(Pair.values())
                .flatMap(pair -> Arrays.stream(Isolation.values()).map(level -> Arguments.of(pair, level)));
    }

    @BeforeAll
    static void create() {
        database = TestDatabase.create();
        setup = database.dataSource();
        for (Isolation level : Isolation.values()) {
            POOLS.put(level, Pools.hikari(database, 4, level));
        }
    }

    @AfterAll
    static void publish() {
        POOLS.values().forEach(HikariDataSource::close);
        database.close();
        TABLE.publish();
    }

    @BeforeEach
    void article() throws SQLException {
        Pools.execute(setup, "DROP SCHEMA IF EXISTS cerrojo CASCADE; DROP TABLE IF EXISTS article;" + Writer.ARTICLE);
    }

    @ParameterizedTest
    @MethodSource("races")
    void whatIsCommittedIsKept(Pair pair, Isolation level) throws SQLException {
        if (pair.trigger().isPresent()) {
            install(pair.trigger().get());
        }
        Findings findings = race(pair, level).explore();

        assertThat(findings.verdict())
                .as(findings.text())
                .isEqualTo(pair.isControl() ? Verdict.VIOLATED : Verdict.HOLDS);
        TABLE.add(pair.toString(), level, findings.verdict(), findings.schedules());
    }

    private void install(OwnershipOptions options) throws SQLException {
        OwnershipTriggers.over(setup).install(OwnershipTrigger.of(Writer.ARTICLES, options), Installation.defaults());
    }

    private Interleavings race(Pair pair, Isolation level) {
        Interleavings race = new Interleavings();
        Transactions transactions = Transactions.over(
                race.over(POOLS.get(level)).dataSource(),
                TransactionOptions.builder()
                        .backoff(Duration.ZERO, Duration.ZERO)
                        .deadline(Duration.ofMinutes(10))
                        .build());
        for (Writer writer : pair.writers()) {
            race.session(writer.shows(), () -> {
                writer.run(transactions);
                committed.add(writer);
            });
        }
        if (!pair.mayBeRefused()) {
            race.neverFails();
        }
        return race.beforeEach(committed::clear)
                .mayRefuse(StaleVersionException.class)
                .neverDeadlocks()
                .holds("one is committed", () -> assertThat(committed).isNotEmpty())
                .holds("what is committed is kept", this::assertKept);
    }

    private void assertKept() throws SQLException {
        for (Writer writer : committed) {
            assertThat(Transactions.over(database.dataSource()).<Boolean, SQLException>call(tx -> {
                        try (var statement = tx.connection().createStatement();
                                var row = statement.executeQuery("SELECT " + writer.shows() + " FROM article")) {
                            return row.next() && row.getBoolean(1);
                        }
                    }))
                    .as(writer.shows())
                    .isTrue();
        }
    }
}

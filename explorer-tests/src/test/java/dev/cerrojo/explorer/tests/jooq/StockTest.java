package dev.cerrojo.explorer.tests.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.junit.InterleavingTest;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.explorer.tests.jooq.Stock.SoldOutException;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class StockTest {
    private final TestDatabase database = TestDatabase.create();
    private final HikariDataSource dataSource = Pools.hikari(database, 4);

    @BeforeEach
    void twoPieces() throws SQLException {
        Pools.execute(dataSource, """
                CREATE TABLE stock (item text PRIMARY KEY, pieces int NOT NULL);
                INSERT INTO stock VALUES ('lamp', 2)""");
    }

    @AfterEach
    void close() {
        dataSource.close();
        database.close();
    }

    @InterleavingTest
    void threeBuyersGetTwoPieces(Interleavings race) {
        Stock stock = new Stock(race.over(dataSource).dataSource());
        AtomicInteger sold = new AtomicInteger();
        race.beforeEach(() -> sold.set(0));
        for (String buyer : new String[] {"Ana", "Ben", "Cleo"}) {
            race.session(buyer + " buys a lamp", () -> {
                stock.takeAtomically("lamp");
                sold.incrementAndGet();
            });
        }
        race.mayRefuse(SoldOutException.class)
                .holds("two are sold", () -> assertThat(sold).hasValue(2));
    }

    @InterleavingTest
    void theRaceIsFound(Interleavings race) {
        Stock stock = new Stock(race.over(dataSource).dataSource());
        race.session("Ana buys a lamp", () -> stock.take("lamp"))
                .session("Ben buys a lamp", () -> stock.take("lamp"))
                .mayRefuse(SoldOutException.class)
                .holds("SELECT pieces FROM stock WHERE pieces <> 0");

        assertThat(race.explore().verdict()).isEqualTo(Verdict.VIOLATED);
    }
}

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
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class StockTest {
    private final TestDatabase database = TestDatabase.create();
    private final HikariDataSource dataSource = Pools.hikari(database, 4);

    @BeforeEach
    void oneLamp() throws SQLException {
        Pools.execute(dataSource, """
                CREATE TABLE stock (item text PRIMARY KEY, pieces int NOT NULL);
                INSERT INTO stock VALUES ('lamp', 1)""");
    }

    @AfterEach
    void close() {
        dataSource.close();
        database.close();
    }

    @InterleavingTest
    void oneLampIsSoldOnce(Interleavings race) {
        Stock stock = new Stock(race.over(dataSource).dataSource());
        AtomicInteger sold = new AtomicInteger();
        race.beforeEach(() -> sold.set(0));
        for (String buyer : List.of("Ana", "Ben")) {
            race.session(buyer + " buys a lamp", () -> {
                stock.takeAtomically("lamp");
                sold.incrementAndGet();
            });
        }
        race.mayRefuse(SoldOutException.class)
                .holds("one is sold", () -> assertThat(sold).hasValue(1));
    }

    @InterleavingTest
    void theRaceIsFound(Interleavings race) {
        Stock stock = new Stock(race.over(dataSource).dataSource());
        AtomicInteger sold = new AtomicInteger();
        race.beforeEach(() -> sold.set(0));
        race.session("Ana buys a lamp", () -> {
                    stock.take("lamp");
                    sold.incrementAndGet();
                })
                .session("Ben buys a lamp", () -> {
                    stock.take("lamp");
                    sold.incrementAndGet();
                })
                .mayRefuse(SoldOutException.class)
                .holds("one is sold", () -> assertThat(sold).hasValueLessThan(2));

        assertThat(race.explore().verdict()).isEqualTo(Verdict.VIOLATED);
    }
}

package dev.cerrojo.tx;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a transaction costs, in round trips. */
class RoundTripsPostgresTest {
    private static final Pattern URL = Pattern.compile("(jdbc:postgresql://)([^/:]+):(\\d+)(/.*)");

    @Test
    void theLevelCostsOneAndNothingElseAny() throws Exception {
        try (Items items = new Items()) {
            Matcher url = URL.matcher(items.database().jdbcUrl());
            assertThat(url.matches()).isTrue();
            try (RoundTrips trips = new RoundTrips(url.group(2), Integer.parseInt(url.group(3)));
                    Connection connection =
                            DriverManager.getConnection(url.group(1) + "localhost:" + trips.port() + url.group(4))) {
                OneConnection one = new OneConnection(connection);
                Transactions plain = Transactions.over(one.dataSource());
                trips.count();

                byHand(connection);
                int byHand = trips.count();
                plain.run(tx -> Items.run(tx, "UPDATE item SET n = n + 1"));
                int withDeadline = trips.count();
                plain.with(TransactionOptions.builder().noDeadline().build())
                        .run(tx -> Items.run(tx, "UPDATE item SET n = n + 1"));
                int withoutDeadline = trips.count();
                plain.with(TransactionOptions.builder()
                                .isolation(Isolation.SERIALIZABLE)
                                .readOnly(true)
                                .build())
                        .run(tx -> Items.run(tx, "SELECT FROM item"));
                int withLevel = trips.count();
                plain.run(tx -> {});
                int ofNothing = trips.count();

                assertThat(byHand).isEqualTo(2);
                assertThat(withDeadline).isEqualTo(2);
                assertThat(withoutDeadline).isEqualTo(2);
                assertThat(withLevel).isEqualTo(3);
                assertThat(ofNothing).isZero();
            }
        }
    }

    /** The control. */
    private static void byHand(Connection connection) throws Exception {
        connection.setAutoCommit(false);
        Items.run(connection, "UPDATE item SET n = n + 1");
        connection.commit();
        connection.setAutoCommit(true);
    }
}

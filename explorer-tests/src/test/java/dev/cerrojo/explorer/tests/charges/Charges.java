package dev.cerrojo.explorer.tests.charges;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** What customers are charged for their orders. */
public final class Charges {
    private final DataSource dataSource;

    public Charges(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Whoever tries again charges again. */
    public void charge(String order, int cents) throws SQLException {
        insert("INSERT INTO charge (order_id, cents) VALUES (?, ?)", order, cents);
    }

    /** May be tried again. */
    public void chargeOnce(String order, int cents) throws SQLException {
        insert("INSERT INTO charge (order_id, cents, once) VALUES (?, ?, true) ON CONFLICT DO NOTHING", order, cents);
    }

    private void insert(String sql, String order, int cents) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement charge = connection.prepareStatement(sql)) {
            charge.setString(1, order);
            charge.setInt(2, cents);
            charge.executeUpdate();
        }
    }
}

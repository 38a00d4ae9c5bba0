package dev.cerrojo.explorer.tests.transactions;

import dev.cerrojo.tx.Isolation;
import dev.cerrojo.tx.TransactionOptions;
import dev.cerrojo.tx.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** Sells what is in stock, and confirms it by mail. */
public final class Shop {
    private final Transactions transactions;
    private final Mail mail;

    /** Sends mail, which cannot be taken back. */
    public interface Mail {
        void confirm(String item);
    }

    public Shop(DataSource dataSource, Mail mail) {
        this.mail = mail;
        TransactionOptions options = TransactionOptions.builder()
                .isolation(Isolation.SERIALIZABLE)
                .deadline(Duration.ofSeconds(5))
                .build();
        this.transactions = Transactions.over(dataSource, options);
    }

    public int order(String item) throws SoldOutException {
        return transactions.call(tx -> {
            int left = left(tx.connection(), item);
            if (left == 0) {
                throw new SoldOutException(item);
            }
            take(tx.connection(), item, left - 1);
            tx.afterCommit(() -> mail.confirm(item));
            return left - 1;
        });
    }

    private static int left(Connection connection, String item) throws SQLException {
        try (PreparedStatement read = connection.prepareStatement("SELECT n FROM stock WHERE item = ?")) {
            read.setString(1, item);
            try (ResultSet row = read.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private static void take(Connection connection, String item, int left) throws SQLException {
        try (PreparedStatement write = connection.prepareStatement("UPDATE stock SET n = ? WHERE item = ?")) {
            write.setInt(1, left);
            write.setString(2, item);
            write.executeUpdate();
        }
    }
}

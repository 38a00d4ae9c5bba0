package dev.cerrojo.explorer.tests.leases;

import dev.cerrojo.lease.Lease;
import dev.cerrojo.lease.LeaseScope;
import dev.cerrojo.lease.LeaseSettings;
import dev.cerrojo.lease.Leases;
import dev.cerrojo.tx.Transactions;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** Publishes articles, which takes a while: one worker at a time per article, and each group of fields by itself. */
public final class Publishing implements AutoCloseable {
    private static final String TEXT = "SELECT text FROM article WHERE name = ?";

    private final Transactions transactions;
    private final Leases leases;
    private final Site site;

    /** What articles are shown on, by something that takes its time. */
    public interface Site {
        void show(String article, String text, long token);
    }

    public Publishing(DataSource dataSource, DataSource forLeases, Site site) {
        this.site = site;
        this.transactions = Transactions.over(dataSource);
        LeaseSettings settings = LeaseSettings.builder()
                .leaseDuration(Duration.ofSeconds(5))
                .waitUpTo(Duration.ofMinutes(1))
                .build();
        this.leases = Leases.over(forLeases, settings);
    }

    public void publish(String article) throws SQLException {
        try (Lease lease = leases.acquire(LeaseScope.of(article))) {
            String text = transactions.call(tx -> text(tx.connection().prepareStatement(TEXT), article));
            lease.run(held -> site.show(article, text, held.token()));
            lease.runFenced(transactions, tx -> {
                try (PreparedStatement update = tx.connection()
                        .prepareStatement("UPDATE article SET published = published + 1 WHERE name = ?")) {
                    update.setString(1, article);
                    update.executeUpdate();
                }
            });
        }
    }

    public boolean describe(String article, String keywords) {
        Optional<Lease> lease = leases.tryAcquire(LeaseScope.of(article, "seo"));
        lease.ifPresent(held -> describe(held, article, keywords));
        return lease.isPresent();
    }

    private void describe(Lease lease, String article, String keywords) {
        try (lease) {
            lease.onLoss(loss -> System.getLogger("publishing").log(System.Logger.Level.WARNING, loss.getMessage()));
            lease.runFenced(transactions, tx -> {
                try (PreparedStatement update =
                        tx.connection().prepareStatement("UPDATE article SET keywords = ? WHERE name = ?")) {
                    update.setString(1, keywords);
                    update.setString(2, article);
                    update.executeUpdate();
                }
            });
        }
    }

    public void swap(String one, String other) throws SQLException {
        try (Lease both = leases.acquire(LeaseScope.of(one), LeaseScope.of(other))) {
            both.runFenced(transactions, tx -> {
                try (PreparedStatement update = tx.connection()
                        .prepareStatement("UPDATE article SET text = o.text FROM article AS o"
                                + " WHERE (article.name, o.name) IN ((?, ?), (?, ?))")) {
                    update.setString(1, one);
                    update.setString(2, other);
                    update.setString(3, other);
                    update.setString(4, one);
                    update.executeUpdate();
                }
            });
        }
    }

    private static String text(PreparedStatement read, String article) throws SQLException {
        try (read) {
            read.setString(1, article);
            try (ResultSet row = read.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        }
    }

    @Override
    public void close() {
        leases.close();
    }
}

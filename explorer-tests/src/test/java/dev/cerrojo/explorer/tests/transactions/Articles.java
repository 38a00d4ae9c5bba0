package dev.cerrojo.explorer.tests.transactions;

import dev.cerrojo.optimistic.OptimisticTable;
import dev.cerrojo.tx.Transactions;
import java.util.Map;
import javax.sql.DataSource;

/** What editors write and visitors read. */
public final class Articles {
    private final OptimisticTable articles = OptimisticTable.of("article", "id", "version");
    private final Transactions transactions;

    public Articles(DataSource dataSource) {
        this.transactions = Transactions.over(dataSource);
    }

    public long save(int id, long version, String title) {
        return transactions.<Long, RuntimeException>call(
                tx -> articles.update(tx, id, version, Map.of("title", title)));
    }

    public long viewed(int id) {
        return articles.change(transactions, id, row -> Map.of("views", (Integer) row.get("views") + 1));
    }
}

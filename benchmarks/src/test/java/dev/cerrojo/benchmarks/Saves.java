package dev.cerrojo.benchmarks;

import dev.cerrojo.Actor;
import dev.cerrojo.benchmarks.SaveContender.Save;
import dev.cerrojo.ownership.OwnedTable;
import dev.cerrojo.ownership.Write;
import dev.cerrojo.tx.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The ways to save an article. */
final class Saves {
    /** As an ORM does: every column, all but two as they are. */
    private static final String WHOLE_ROW = """
            UPDATE article SET title = ?, body = repeat('body ', 100), slug = 's', section = 's', author = 'a', summary = 's',
              thumbnail = 't', words = 1, language = 'en', meta = '{"a": 1}', rank = 0.5 WHERE id = ?""";

    private static final String ONE_FIELD = "UPDATE article SET title = ? WHERE id = ?";

    private Saves() {}

    static Save wholeRow(Newspaper newspaper, Actor... said) {
        return sent(newspaper, WHOLE_ROW, said);
    }

    static Save byHand(Newspaper newspaper) {
        return sent(newspaper, ONE_FIELD);
    }

    private static Save sent(Newspaper newspaper, String sql, Actor... said) {
        return (article, text) -> {
            try (Connection connection = newspaper.pool().getConnection()) {
                connection.setAutoCommit(false);
                try {
                    for (Actor actor : said) {
                        OwnedTable.actAs(connection, actor);
                    }
                    update(connection, sql, article, text);
                    connection.commit();
                } catch (SQLException | RuntimeException failure) {
                    connection.rollback();
                    throw failure;
                } finally {
                    connection.setAutoCommit(true);
                }
            }
        };
    }

    private static void update(Connection connection, String sql, int article, String text) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, text);
            statement.setInt(2, article);
            statement.executeUpdate();
        }
    }

    static Save owned(Newspaper newspaper) {
        OwnedTable articles = OwnedTable.of(Newspaper.OWNERSHIP);
        Transactions transactions = Transactions.over(newspaper.pool());
        return (article, text) -> transactions.run(
                tx -> articles.write(tx, article, Write.by(Actor.EDITOR).set("title", text)));
    }
}

package dev.cerrojo.internal;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * SQL for a JDBC {@code PreparedStatement}.
 *
 * @param text the SQL, each place a question mark, and the question marks of operators escaped
 * @param places how many values are bound
 */
public record JdbcSql(String text, int places) {
    /** {@return SQL whose places are the occurrences of one named variable, outside of quotes and comments} */
    public static JdbcSql of(String sql, String variable) {
        AtomicInteger places = new AtomicInteger();
        String text = SqlText.replaceVariables(SqlText.escapedForJdbc(sql), name -> {
            if (!name.equals(variable)) {
                return ':' + name;
            }
            places.incrementAndGet();
            return "?";
        });
        return new JdbcSql(text, places.get());
    }
}

package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.scenario.Position;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** SQL of a scenario that PostgreSQL does not take, or that does not do what its place in the file asks for. */
public final class ScenarioSqlException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 400;

    private final String problem;

    private ScenarioSqlException(String message, String problem, @Nullable Throwable cause) {
        super(message, cause);
        this.problem = problem;
    }

    /** {@return what is wrong, in one line, without the statement and its place} */
    public String problem() {
        return problem;
    }

    static ScenarioSqlException of(String file, Position at, String sql, String problem) {
        return new ScenarioSqlException(
                place(file, at, 0) + at.path() + ": " + problem + "\n" + indent(sql), problem, null);
    }

    /**
     * Says what PostgreSQL said.
     *
     * @param file the scenario's file
     * @param at where the SQL stands
     * @param jdbc the SQL as PostgreSQL got it
     * @param e what it said
     * @return the exception; its message points at the place
     */
    public static ScenarioSqlException of(String file, Position at, String jdbc, SQLException e) {
        ServerErrorMessage server = e instanceof PSQLException p ? p.getServerErrorMessage() : null;
        int position = server == null ? 0 : server.getPosition();
        String message = server == null ? e.getMessage() : server.getMessage();
        StringBuilder text = new StringBuilder(place(file, at, linesBefore(jdbc, position)))
                .append(at.path())
                .append(": PostgreSQL refuses this statement: ")
                .append(message)
                .append(" (SQLSTATE ")
                .append(e.getSQLState())
                .append(")\n")
                .append(indent(around(jdbc, position)));
        if (server != null && server.getDetail() != null) {
            text.append("\n  detail: ").append(server.getDetail());
        }
        if (server != null && server.getHint() != null) {
            text.append("\n  hint: ").append(server.getHint());
        }
        return new ScenarioSqlException(
                text.toString(), "PostgreSQL refuses it: " + message + " (SQLSTATE " + e.getSQLState() + ")", e);
    }

    private static String place(String file, Position at, int linesBefore) {
        return at.line() == 0 ? file + ": " : file + ":" + (at.line() + linesBefore) + ": ";
    }

    private static int linesBefore(String sql, int position) {
        return (int) sql.chars()
                .limit(Math.max(0, position - 1))
                .filter(c -> c == '\n')
                .count();
    }

    /** The line that PostgreSQL points at, with a mark under the place. */
    private static String around(String sql, int position) {
        if (position <= 0 || position > sql.length()) {
            return sql.length() > SHOWN ? sql.substring(0, SHOWN) + "…" : sql;
        }
        int start = sql.lastIndexOf('\n', position - 2) + 1;
        int end = sql.indexOf('\n', position - 1);
        String line = sql.substring(start, end < 0 ? sql.length() : end);
        return line + "\n" + " ".repeat(position - 1 - start) + "^";
    }

    private static String indent(String text) {
        return "  " + text.strip().replace("\n", "\n  ");
    }
}

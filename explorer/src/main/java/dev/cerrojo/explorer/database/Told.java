package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.schedule.Choice;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All that one statement returned: its rows, or how many it changed. */
final class Told {
    private static final int LONGEST = 60;

    private final int session;
    private final int attempt;
    private final int step;
    private final String sql;
    private List<CompiledStatement.Column> columns = List.of();
    private final List<List<@Nullable String>> rows = new ArrayList<>();

    /**
     * Before the statement is run.
     *
     * @param session who runs it, from 0
     * @param attempt in which attempt, from 0
     * @param step where in the session, from 0
     * @param sql the statement
     */
    Told(int session, int attempt, int step, String sql) {
        this.session = session;
        this.attempt = attempt;
        this.step = step;
        this.sql = sql;
    }

    void columns(List<CompiledStatement.Column> returned) {
        columns = returned;
    }

    void row(ResultSet row) throws SQLException {
        List<@Nullable String> values = new ArrayList<>();
        for (int i = 1; i <= columns.size(); i++) {
            values.add(row.getString(i));
        }
        rows.add(Collections.unmodifiableList(values));
    }

    void changed(int count) {
        columns = List.of(new CompiledStatement.Column("rows changed", "int8", Optional.empty()));
        rows.add(List.of(Integer.toString(count)));
    }

    /** {@return who was told it and where, for people; of no two statements of a run the same} */
    String place() {
        String line = sql.strip().replaceAll("\\s+", " ");
        return Choice.letter(session) + ", step " + (step + 1)
                + (attempt == 0 ? "" : ", attempt " + (attempt + 1))
                + ": " + (line.length() > LONGEST ? line.substring(0, LONGEST) + "..." : line);
    }

    /** {@return who was told it and where, in short} */
    int key() {
        return (session * 1_000 + attempt) * 10_000 + step;
    }

    List<CompiledStatement.Column> columns() {
        return columns;
    }

    List<List<@Nullable String>> rows() {
        return rows;
    }
}

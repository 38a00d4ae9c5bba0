package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.serial.Observation;
import dev.cerrojo.explorer.serial.Part;
import dev.cerrojo.explorer.serial.Rows;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of a run, as PostgreSQL told it: before it is known what of it counts.
 *
 * @param tables for each table, in the order of {@link ComparedTables}, its rows
 * @param sessions what each session committed; of a session that did not run, nothing
 */
record Seen(List<List<List<@Nullable String>>> tables, List<CommittedWork> sessions) {
    Seen {
        tables = List.copyOf(tables);
        sessions = List.copyOf(sessions);
    }

    Observation observation(ComparedTables compared) {
        return new Observation(
                compared.rows(tables),
                sessions.stream().map(work -> part(work, compared)).toList());
    }

    private static Part part(CommittedWork work, ComparedTables compared) {
        return new Part(
                work.units(),
                work.told().stream()
                        .map(told -> new Part.Reading(told.place(), rows(told, compared)))
                        .toList());
    }

    private static Rows rows(Told told, ComparedTables compared) {
        return new Rows(told.columns().stream().map(compared::column).toList(), told.rows());
    }

    /** {@return all of it as text: what is equal, is judged alike} */
    String key() {
        StringBuilder text = new StringBuilder();
        tables.forEach(rows -> append(text.append("\n"), rows));
        for (CommittedWork work : sessions) {
            text.append('\n').append(work.units());
            work.told().forEach(told -> append(text.append(told.key()).append(':'), told.rows()));
        }
        return text.toString();
    }

    private static void append(StringBuilder text, List<List<@Nullable String>> rows) {
        for (List<@Nullable String> row : rows) {
            for (String value : row) {
                if (value == null) {
                    text.append("-;");
                } else {
                    text.append(value.length()).append('=').append(value).append(';');
                }
            }
            text.append('|');
        }
    }
}

package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.schedule.StepResult;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What PostgreSQL answered to one simple query.
 *
 * @param results the result sets, those before an error too
 * @param tags the command tags of statements without a result set, such as {@code COMMIT}
 * @param endsInRows whether the last statement returned a result set
 * @param changed rows changed by the last of those; -1 when there was none that changes rows
 * @param error the error, if it ended in one
 */
record Answer(List<Result> results, List<String> tags, boolean endsInRows, long changed, Optional<Failure> error) {
    /** The answer to a BEGIN. */
    static final Answer BEGUN = new Answer(List.of(), List.of("BEGIN"), false, -1, Optional.empty());

    Answer {
        results = List.copyOf(results);
        tags = List.copyOf(tags);
    }

    /**
     * A result set.
     *
     * @param columns its columns
     * @param rows a text per column, null for SQL NULL
     */
    record Result(List<Column> columns, List<List<@Nullable String>> rows) {}

    /**
     * A column of a result set.
     *
     * @param name its label
     * @param table the table it is a column of; 0 when it is computed
     * @param number its number there, negative for a system column; 0 when it is computed
     */
    record Column(String name, int table, int number) {}

    /**
     * An error.
     *
     * @param severity {@code ERROR} or {@code FATAL}
     * @param failure what failed
     * @param cause as the driver told it
     */
    record Failure(String severity, StepResult.Failure failure, SQLException cause) {}

    /** {@return the same without its first command tag} */
    Answer withoutFirstTag() {
        return new Answer(results, tags.subList(1, tags.size()), endsInRows, changed, error);
    }

    boolean failed() {
        return error.isPresent();
    }

    /** {@return what the trace of a schedule says of it} */
    StepResult stepResult() {
        if (error.isPresent()) {
            return StepResult.failed(error.orElseThrow().failure());
        }
        if (results.isEmpty()) {
            return new StepResult(changed, Map.of(), Optional.empty());
        }
        Result last = results.get(results.size() - 1);
        Map<String, @Nullable String> first = new LinkedHashMap<>();
        if (!last.rows().isEmpty()) {
            for (int i = 0; i < last.columns().size(); i++) {
                first.put(last.columns().get(i).name(), last.rows().get(0).get(i));
            }
        }
        return new StepResult(last.rows().size(), first, Optional.empty());
    }
}

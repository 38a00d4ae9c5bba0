package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.database.CompiledStatement.Column;
import dev.cerrojo.explorer.scenario.Call;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.sql.SqlText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Shows a transaction's statements to PostgreSQL, without running them: it says their types, or what is wrong. */
final class StatementCompiler {
    /** After one of these a later statement may be about something that does not exist yet. */
    private static final Pattern DDL =
            Pattern.compile("\\b(create|alter|drop|temp|temporary|into|execute|do|call)\\b", Pattern.CASE_INSENSITIVE);

    private final String file;
    private final Connection connection;

    /**
     * Makes a compiler.
     *
     * @param file the scenario's file, for messages
     * @param connection to the database after the setup, in autocommit mode
     */
    StatementCompiler(String file, Connection connection) {
        this.file = file;
        this.connection = connection;
    }

    CompiledTransaction compile(TransactionSpec spec, Call call) {
        Map<String, String> types = new LinkedHashMap<>();
        call.arguments()
                .forEach((name, value) -> types.put(name, Datum.of(value).type()));
        List<Optional<CompiledStatement>> statements = new ArrayList<>();
        List<Boolean> computed = new ArrayList<>();
        boolean ddlBefore = false;
        for (Step step : spec.steps()) {
            if (step instanceof Step.Statement statement) {
                CompiledStatement compiled = compile(statement, types, ddlBefore);
                statements.add(Optional.of(compiled));
                computed.add(statement instanceof Step.Check && SqlText.isOverVariablesOnly(statement.sql()));
                compiled.columns().forEach(column -> types.put(column.name(), column.type()));
                if (statement instanceof Step.Write) {
                    types.put("rowcount", "int4");
                }
                ddlBefore |= DDL.matcher(statement.sql().text()).find();
            } else {
                statements.add(Optional.empty());
                computed.add(false);
            }
        }
        return new CompiledTransaction(spec, statements, computed);
    }

    private CompiledStatement compile(Step.Statement step, Map<String, String> types, boolean ddlBefore) {
        for (String name : step.sql().variables()) {
            if (!types.containsKey(name) && !ddlBefore) {
                throw ScenarioSqlException.of(
                        file,
                        step.at(),
                        step.sql().text(),
                        "the variable :" + name + " is bound by nothing before this step; bound are "
                                + types.keySet().stream()
                                        .map(known -> ":" + known)
                                        .toList());
            }
        }
        @Nullable SQLException first = null;
        for (Binding binding : Binding.values()) {
            try {
                CompiledStatement compiled = describe(step, binding, types);
                checkShape(step, compiled);
                return compiled;
            } catch (SQLException e) {
                first = first == null ? e : first;
            }
        }
        if (ddlBefore) {
            return new CompiledStatement(step.sql(), Binding.LITERAL, List.of());
        }
        throw ScenarioSqlException.of(file, step.at(), step.sql().jdbc(), Objects.requireNonNull(first));
    }

    private CompiledStatement describe(Step.Statement step, Binding binding, Map<String, String> types)
            throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(step.sql().jdbc())) {
            int index = 1;
            for (String name : step.sql().variables()) {
                binding.bind(statement, index++, types.getOrDefault(name, Datum.UNKNOWN), null);
            }
            statement.getParameterMetaData();
            ResultSetMetaData data = statement.getMetaData();
            List<Column> columns = data == null ? List.of() : Columns.withOrigins(data);
            return new CompiledStatement(step.sql(), binding, columns);
        }
    }

    private void checkShape(Step.Statement step, CompiledStatement compiled) {
        if (step instanceof Step.Check) {
            List<Column> columns = compiled.columns();
            if (columns.size() != 1 || !columns.get(0).type().equals("bool")) {
                throw ScenarioSqlException.of(
                        file,
                        step.at(),
                        step.sql().text(),
                        "a check must yield one boolean, but this yields "
                                + (columns.isEmpty()
                                        ? "no column"
                                        : columns.stream().map(Column::type).toList()));
            }
        }
        if (step instanceof Step.Read && compiled.columns().isEmpty()) {
            throw ScenarioSqlException.of(
                    file,
                    step.at(),
                    step.sql().text(),
                    "a read must return columns, but this statement returns none; make it a write");
        }
    }
}

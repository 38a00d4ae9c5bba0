package dev.cerrojo.cli;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.MarginQuery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cerrojo margins}: how far scopes are from violation. */
@Command(
        name = "margins",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Lists the scopes of each invariant by how far they are from violation, the nearest first: below 0 is"
                        + " violated, at 0 the next step violates. Ends with 1 when any is violated. Reads only.")
final class MarginsCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final ContractOptions contract = new ContractOptions();

    @Mixin
    private final DatabaseOptions database = new DatabaseOptions();

    @Option(names = "--limit", paramLabel = "N", description = "At most N scopes per invariant. Default: 20.")
    private int limit = 20;

    MarginsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** One scope, as PostgreSQL writes it. */
    record Margin(String scope, String value, String bound, String margin, boolean violated) {}

    /** What is known of one invariant: margins, or of a rule without distance the rows that violate it. */
    record Measured(String invariant, List<Margin> margins, List<String> violations) {
        boolean isAnyViolated() {
            return !violations.isEmpty() || margins.stream().anyMatch(Margin::violated);
        }
    }

    @Override
    public Integer call() throws SQLException {
        if (limit < 1) {
            throw CommandFailedException.usage("--limit must be at least 1, but was " + limit);
        }
        List<Invariant> invariants = contract.invariants();
        List<Measured> all = new ArrayList<>();
        try (Connection connection = database.dataSource(terminal).getConnection()) {
            connection.setReadOnly(true);
            searchPath(connection);
            for (Invariant invariant : invariants) {
                all.add(measured(connection, invariant));
            }
        }
        int exitCode = all.stream().anyMatch(Measured::isAnyViolated) ? ExitCode.VIOLATED : ExitCode.OK;
        if (contract.json()) {
            JsonOutput.print(terminal, "margins", exitCode, all);
        } else {
            all.forEach(this::print);
        }
        return exitCode;
    }

    private void searchPath(Connection connection) throws SQLException {
        try (PreparedStatement set =
                connection.prepareStatement("SELECT set_config('search_path', quote_ident(?) || ', pg_temp', false)")) {
            set.setString(1, contract.schema());
            set.execute();
        }
    }

    private Measured measured(Connection connection, Invariant invariant) throws SQLException {
        List<Margin> margins = new ArrayList<>();
        List<String> violations = new ArrayList<>();
        var margin = MarginQuery.of(invariant);
        String sql = margin.map(query -> query.sql(limit))
                .orElseGet(() -> "SELECT to_json(v)::text FROM (SELECT * FROM (\n" + invariant.violationSql()
                        + "\n) AS v LIMIT " + limit + ") AS v");
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            ResultSet row = statement.executeQuery(sql);
            while (row.next()) {
                if (margin.isPresent()) {
                    margins.add(margin(row));
                } else {
                    violations.add(row.getString(1));
                }
            }
        } catch (SQLException e) {
            throw contract.explained(invariant, e);
        }
        return new Measured(invariant.name(), margins, violations);
    }

    private static Margin margin(ResultSet row) throws SQLException {
        return new Margin(row.getString(1), row.getString(2), row.getString(3), row.getString(4), row.getBoolean(5));
    }

    private void print(Measured measured) {
        terminal.out().println(measured.invariant());
        if (measured.margins().isEmpty() && measured.violations().isEmpty()) {
            terminal.out().println("  nothing is near");
        }
        if (!measured.margins().isEmpty()) {
            printRow("margin", "value", "bound", "scope");
        }
        for (Margin margin : measured.margins()) {
            String scope = margin.scope() + (margin.violated() ? "  VIOLATED" : "");
            printRow(margin.margin(), margin.value(), margin.bound(), scope);
        }
        measured.violations().forEach(row -> terminal.out().println("  VIOLATED  " + row));
    }

    private void printRow(String margin, String value, String bound, String scope) {
        terminal.out().printf("  %8s  %8s  %8s  %s%n", margin, value, bound, scope);
    }
}

package dev.cerrojo.explorer.stress;

import dev.cerrojo.explorer.database.Datum;
import dev.cerrojo.explorer.database.FreeDatabase;
import dev.cerrojo.explorer.database.FreeTransaction;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.scenario.Call;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Session;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.search.Violation;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A database in which one pass over the groups is made. */
final class Ground implements AutoCloseable {
    private final FreeDatabase database;
    private final Scenario scenario;
    private final List<Group> groups;
    private final List<List<Operation>> operations = new ArrayList<>();

    private Ground(FreeDatabase database, Scenario scenario, List<Group> groups) {
        this.database = database;
        this.scenario = scenario;
        this.groups = groups;
    }

    static Ground open(Server server, Scenario scenario, List<Group> groups) throws SQLException {
        Ground ground = new Ground(FreeDatabase.open(server, scenario), scenario, groups);
        try {
            ground.prepare();
            return ground;
        } catch (SQLException | RuntimeException e) {
            ground.close();
            throw e;
        }
    }

    private void prepare() throws SQLException {
        try (Connection connection = database.connect();
                Statement sql = connection.createStatement()) {
            sql.execute("CREATE SCHEMA %s; CREATE TABLE %1$s.ledger (operation int PRIMARY KEY);"
                    .formatted(Together.SCHEMA));
            for (Group group : groups) {
                sql.execute(Together.tables(group));
            }
        }
        Map<String, FreeTransaction> known = new HashMap<>();
        for (Group group : groups) {
            operations.add(operations(group, known));
        }
    }

    private List<Operation> operations(Group group, Map<String, FreeTransaction> known) {
        List<Operation> all = new ArrayList<>();
        for (int party = 0; party < group.sessions().size(); party++) {
            all.add(new Operation(
                    group.first() + party, party, units(group.sessions().get(party), known), scenario.invariants()));
        }
        return all;
    }

    private List<Unit> units(Session session, Map<String, FreeTransaction> known) {
        List<Unit> units = new ArrayList<>();
        for (Call call : session.calls()) {
            TransactionSpec spec =
                    Objects.requireNonNull(scenario.transactions().get(call.transaction()));
            // the types of arguments may differ from call to call, and their values do not matter
            FreeTransaction transaction = known.computeIfAbsent(kinds(call), any -> database.transaction(spec, call));
            units.addAll(Unit.of(spec, call, transaction));
        }
        return units;
    }

    private static String kinds(Call call) {
        StringBuilder kinds = new StringBuilder(call.transaction());
        call.arguments()
                .values()
                .forEach(value -> kinds.append(' ').append(Datum.of(value).type()));
        return kinds.toString();
    }

    List<Violation> violations() throws SQLException {
        return database.violations();
    }

    /**
     * Runs the operations one after another, with nothing injected.
     *
     * @return what is violated after the first one that leaves something violated; empty when none does
     */
    List<Violation> runAlone() throws SQLException {
        Tally tally = new Tally(count());
        try (OneConnection connection = new OneConnection(database.url())) {
            for (List<Operation> group : operations) {
                for (Operation operation : group) {
                    operation.run(connection, Optional.empty(), tally);
                    List<Violation> left = violations();
                    if (!left.isEmpty()) {
                        return left;
                    }
                }
            }
        }
        return List.of();
    }

    /** Runs the operations of each group at once, and several groups at once. */
    Pass run(String protection) throws SQLException {
        Tally tally = new Tally(count());
        long begun = System.nanoTime();
        int clients;
        try (LockWaits locks = new LockWaits(database.connect())) {
            clients = Lanes.run(database.url(), Group.piles(groups), widest(), (number, connections) -> {
                Together together = new Together(groups.get(number), locks, tally);
                return operations.get(number).stream()
                        .<Runnable>map(operation ->
                                () -> operation.run(connections.get(operation.party()), Optional.of(together), tally))
                        .toList();
            });
        }
        Duration elapsed = Duration.ofNanos(System.nanoTime() - begun);
        return tally.pass(protection, clients, ledger(), violations(), elapsed);
    }

    private int count() {
        return operations.stream().mapToInt(List::size).sum();
    }

    private int widest() {
        return operations.stream().mapToInt(List::size).max().orElse(1);
    }

    private int ledger() throws SQLException {
        try (Connection connection = database.connect();
                Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery("SELECT count(*) FROM " + Together.SCHEMA + ".ledger")) {
            row.next();
            return row.getInt(1);
        }
    }

    @Override
    public void close() throws SQLException {
        database.close();
    }
}

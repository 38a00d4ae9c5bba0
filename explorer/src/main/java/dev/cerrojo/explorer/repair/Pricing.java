package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.database.Durability;
import dev.cerrojo.explorer.database.LockSamples;
import dev.cerrojo.explorer.database.MeasuredDatabase;
import dev.cerrojo.explorer.database.MeasuredDatabase.Program;
import dev.cerrojo.explorer.database.ScenarioSqlException;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.measure.Comparison;
import dev.cerrojo.explorer.measure.Measured;
import dev.cerrojo.explorer.repair.Blueprint.NotBuildable;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Session;
import dev.cerrojo.explorer.scenario.Value;
import dev.cerrojo.explorer.search.Progress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Measures what contestants cost, beside each other. {@code docs/design/prices.md} says how, and why so. */
final class Pricing {
    private final Server server;
    private final Scenario scenario;
    private final Measuring how;
    private final Progress progress;
    private final List<Session> entries;
    private final Lane.Limit limit;

    /** Why there are no more scopes; empty when there are. */
    private final Optional<String> oneScope;

    private final Optional<ManyScopes> scopes;
    private final List<String> notes = new ArrayList<>();

    private Pricing(Server server, Scenario scenario, Measuring how, Progress progress) {
        this.server = server;
        this.scenario = scenario;
        this.how = how;
        this.progress = progress;
        this.entries = entries(scenario);
        this.limit = Lane.Limit.of(how);
        this.oneScope = ManyScopes.impossible(scenario);
        this.scopes = oneScope.isPresent() ? Optional.empty() : Optional.of(ManyScopes.of(scenario, how.scopes()));
    }

    /** Nothing can be measured, for a reason that is told. */
    static final class NotMeasurable extends Exception {
        private static final long serialVersionUID = 1L;

        NotMeasurable(String reason) {
            super(reason);
        }
    }

    /**
     * Measures.
     *
     * @param holding what holds
     * @throws NotMeasurable if the file's calls cannot be measured
     */
    static Prices of(
            Server server,
            Scenario scenario,
            List<Contestant> holding,
            Measuring how,
            Progress progress,
            List<String> notes)
            throws SQLException, NotMeasurable {
        Pricing pricing = new Pricing(server, scenario, how, progress);
        pricing.notes.addAll(notes);
        return pricing.prices(holding);
    }

    /** {@return the entries of all runs that work in the first call's scope, each once; all when scopes are not declared} */
    static List<Session> entries(Scenario scenario) {
        Optional<Value> scope = Scopes.of(
                scenario, scenario.runs().get(0).sessions().get(0).calls().get(0));
        return scenario.runs().stream()
                .flatMap(run -> run.sessions().stream())
                .filter(session -> session.calls().stream()
                        .allMatch(call -> scope.isEmpty()
                                || Scopes.of(scenario, call).isEmpty()
                                || Scopes.of(scenario, call).equals(scope)))
                .distinct()
                .toList();
    }

    private Prices prices(List<Contestant> holding) throws SQLException, NotMeasurable {
        if (MeasuredDatabase.outlivesTransaction(scenario)) {
            throw new NotMeasurable(
                    "its transactions leave something behind in their sessions, such as a session lock");
        }
        if (entries.isEmpty()) {
            throw new NotMeasurable("every session works in several scopes");
        }
        long begun = System.nanoTime();
        List<Contestant> contestants = new ArrayList<>(List.of(Contestant.unguarded()));
        contestants.addAll(holding);
        server.awaitDrops();
        // what is made and dropped takes checkpoints: before, and after, but not while something is measured
        try (Databases hotDatabases = new Databases(server, how.clients());
                Databases spreadDatabases = new Databases(server, how.clients())) {
            List<Opened> hot = opened(hotDatabases, contestants, scenario);
            if (hot.isEmpty() || !hot.get(0).isUnguarded()) {
                throw new NotMeasurable("the file as it stands cannot be measured");
            }
            List<Opened> spread = spread(spreadDatabases, hot);
            Measurements found = measure(hotDatabases, hot, spreadDatabases, spread);
            return new Prices(
                    found.server(),
                    how.clients(),
                    spread.isEmpty() ? OptionalInt.empty() : OptionalInt.of(how.scopes()),
                    how.rounds(),
                    Duration.ofNanos(System.nanoTime() - begun),
                    price(hot.get(0), found),
                    hot.stream().skip(1).map(each -> price(each, found)).toList(),
                    notes);
        }
    }

    /** Contestant → what was found. */
    private record Measurements(
            String server, Map<String, QuietCost> quiet, Map<String, Load> hot, Map<String, Load> spread) {}

    private Measurements measure(
            Databases hotDatabases, List<Opened> hot, Databases spreadDatabases, List<Opened> spread)
            throws SQLException {
        Duration round = how.round(hot.size(), spread.isEmpty() ? 1 : 2);
        try (Durability durability = server.durable();
                LockSamples samples = LockSamples.of(server)) {
            hotDatabases.connect();
            Map<String, QuietCost> quiet = new LinkedHashMap<>();
            for (Opened each : hot) {
                quiet.put(each.name(), QuietCost.of(each.database(), each.programs(), entries, progress));
            }
            Map<String, Load> inOne =
                    loads(lanes(hot, each -> new Calls.Hot(each.database(), entries), samples), round);
            hotDatabases.disconnect();
            spreadDatabases.connect();
            Map<MeasuredDatabase, Calls.Stock> stocks = new LinkedHashMap<>();
            Map<String, Load> inMany = spread.isEmpty()
                    ? Map.of()
                    : loads(lanes(spread, each -> spreadCalls(each, stocks), samples), round);
            return new Measurements(durability.words(), quiet, inOne, inMany);
        }
    }

    private Calls spreadCalls(Opened opened, Map<MeasuredDatabase, Calls.Stock> stocks) {
        Calls.Stock stock = stocks.computeIfAbsent(
                opened.database(),
                database -> new Calls.Stock(
                        database, how.clients(), scopes.orElseThrow().values()));
        return new Calls.Spread(stock, how.clients(), scenario, entries);
    }

    private List<Lane> lanes(List<Opened> opened, Function<Opened, Calls> calls, LockSamples samples) {
        return opened.stream()
                .map(each -> new Lane(
                        each.name(), each.database(), each.programs(), calls.apply(each), samples, limit, progress))
                .toList();
    }

    /** {@return those that can be measured in many scopes; none when the file cannot be multiplied} */
    private List<Opened> spread(Databases databases, List<Opened> hot) throws SQLException {
        if (scopes.isEmpty()) {
            notes.add("many scopes: " + oneScope.orElseThrow());
            return List.of();
        }
        Scenario multiplied = scenario.withSetupAppended(scopes.orElseThrow().rows());
        List<Opened> opened =
                opened(databases, hot.stream().map(Opened::contestant).toList(), multiplied);
        return opened.isEmpty() || !opened.get(0).isUnguarded() ? List.of() : opened;
    }

    private Price price(Opened opened, Measurements found) {
        QuietCost cost = Objects.requireNonNull(found.quiet().get(opened.name()));
        return new Price(
                opened.name(),
                opened.isolation(),
                cost.extraRoundTrips(Objects.requireNonNull(found.quiet().get(Contestant.UNGUARDED))),
                cost.meanWalBytes(),
                Objects.requireNonNull(found.hot().get(opened.name())),
                Optional.ofNullable(found.spread().get(opened.name())));
    }

    /** A contestant with a database. */
    private record Opened(Contestant contestant, String isolation, MeasuredDatabase database, List<Program> programs) {
        String name() {
            return contestant.name();
        }

        boolean isUnguarded() {
            return name().equals(Contestant.UNGUARDED);
        }
    }

    private List<Opened> opened(Databases databases, List<Contestant> contestants, Scenario of) throws SQLException {
        List<Opened> opened = new ArrayList<>();
        for (Contestant contestant : contestants) {
            progress.ran(1, 0, 0);
            open(databases, contestant, of).ifPresent(opened::add);
        }
        return opened;
    }

    /** Opens it, or notes why it cannot be. */
    private Optional<Opened> open(Databases databases, Contestant contestant, Scenario of) throws SQLException {
        try {
            Scenario built = contestant.of(of);
            if (MeasuredDatabase.outlivesTransaction(built)) {
                notes.add(contestant.name() + ": it leaves something behind in its session, such as a session lock");
                return Optional.empty();
            }
            @Nullable MeasuredDatabase database = databases.of(built).orElse(null);
            if (database == null) {
                notes.add(contestant.name() + ": it needs one more database, for which there are too few connections");
                return Optional.empty();
            }
            return Optional.of(new Opened(
                    contestant,
                    Contestant.isolation(built),
                    database,
                    entries.stream()
                            .map(entry -> database.program(built, entry))
                            .toList()));
        } catch (NotBuildable e) {
            notes.add(contestant.name() + ": " + e.getMessage());
        } catch (ScenarioSqlException e) {
            notes.add(contestant.name() + (of.equals(scenario) ? ": " : ", in many scopes: ") + e.problem());
        }
        return Optional.empty();
    }

    private Map<String, Load> loads(List<Lane> lanes, Duration round) throws SQLException {
        Map<String, Load> loads = new LinkedHashMap<>();
        List<Measured> measured = measured(lanes, new Comparison(how.clients(), how.rounds(), round));
        for (int i = 0; i < lanes.size(); i++) {
            loads.put(lanes.get(i).name(), lanes.get(i).load(measured.get(i)));
        }
        return loads;
    }

    private static List<Measured> measured(List<Lane> lanes, Comparison comparison) throws SQLException {
        try {
            return comparison.of(lanes);
        } catch (SQLException | RuntimeException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while clients ran", e);
        } catch (Exception e) {
            throw new SQLException("the clients did not end: " + e, e);
        }
    }
}

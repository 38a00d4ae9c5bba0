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
import org.jspecify.annotations.Nullable;

/** Measures what contestants cost, beside each other. {@code docs/design/prices.md} says how, and why so. */
final class Pricing {
    private final Server server;
    private final Scenario scenario;
    private final Measuring how;
    private final Progress progress;
    private final List<Session> entries;
    private final List<String> notes = new ArrayList<>();

    private Pricing(Server server, Scenario scenario, Measuring how, Progress progress) {
        this.server = server;
        this.scenario = scenario;
        this.how = how;
        this.progress = progress;
        this.entries = entries(scenario);
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
            Server server, Scenario scenario, List<Contestant> holding, Measuring how, Progress progress, List<String> notes)
            throws SQLException, NotMeasurable {
        Pricing pricing = new Pricing(server, scenario, how, progress);
        pricing.notes.addAll(notes);
        return pricing.prices(holding);
    }

    /** {@return the entries of all runs that work in the first call's scope, each once; all when scopes are not declared} */
    static List<Session> entries(Scenario scenario) {
        Optional<Value> scope =
                Scopes.of(scenario, scenario.runs().get(0).sessions().get(0).calls().get(0));
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
            throw new NotMeasurable("its transactions leave something behind in their sessions, such as a session lock");
        }
        if (entries.isEmpty()) {
            throw new NotMeasurable("every session works in several scopes");
        }
        long begun = System.nanoTime();
        List<Contestant> contestants = new ArrayList<>(List.of(Contestant.unguarded()));
        contestants.addAll(holding);
        Optional<String> oneScope = ManyScopes.impossible(scenario);
        oneScope.ifPresent(reason -> notes.add("many scopes: " + reason));
        server.awaitDrops();
        try (Durability durability = server.durable();
                LockSamples samples = LockSamples.of(server)) {
            Map<String, QuietCost> quiet = new LinkedHashMap<>();
            Map<String, Load> hot = hot(contestants, samples, quiet, oneScope.isPresent() ? 1 : 2);
            List<Contestant> measured = contestants.stream()
                    .filter(contestant -> hot.containsKey(contestant.name()))
                    .toList();
            server.awaitDrops();
            Map<String, Load> spread = oneScope.isPresent() ? Map.of() : spread(measured, samples);
            return new Prices(
                    durability.words(),
                    how.clients(),
                    spread.isEmpty() ? OptionalInt.empty() : OptionalInt.of(how.scopes()),
                    how.rounds(),
                    Duration.ofNanos(System.nanoTime() - begun),
                    price(measured.get(0), quiet, hot, spread),
                    measured.stream()
                            .skip(1)
                            .map(contestant -> price(contestant, quiet, hot, spread))
                            .toList(),
                    notes);
        }
    }

    private Price price(
            Contestant contestant, Map<String, QuietCost> quiet, Map<String, Load> hot, Map<String, Load> spread) {
        String name = contestant.name();
        QuietCost cost = Objects.requireNonNull(quiet.get(name));
        return new Price(
                name,
                isolation(contestant),
                cost.extraRoundTrips(Objects.requireNonNull(quiet.get(Contestant.UNGUARDED))),
                cost.meanWalBytes(),
                Objects.requireNonNull(hot.get(name)),
                Optional.ofNullable(spread.get(name)));
    }

    private String isolation(Contestant contestant) {
        try {
            return Contestant.isolation(contestant.of(scenario));
        } catch (NotBuildable e) {
            throw new IllegalStateException("it was built before", e);
        }
    }

    /** Also counts what a call of each costs when nobody else runs. */
    private Map<String, Load> hot(
            List<Contestant> contestants, LockSamples samples, Map<String, QuietCost> quiet, int loads)
            throws SQLException {
        try (Databases databases = new Databases(server, how.clients())) {
            List<Lane> lanes = new ArrayList<>();
            for (Contestant contestant : contestants) {
                Optional<Opened> opened = open(databases, contestant, scenario);
                if (opened.isPresent()) {
                    Opened lane = opened.orElseThrow();
                    quiet.put(
                            contestant.name(),
                            QuietCost.of(lane.database(), lane.programs(), entries, progress));
                    lanes.add(lane.lane(contestant, new Calls.Hot(lane.database(), entries), samples, progress));
                }
            }
            return loads(lanes, how.round(contestants.size(), loads));
        }
    }

    private Map<String, Load> spread(List<Contestant> contestants, LockSamples samples) throws SQLException {
        ManyScopes many = ManyScopes.of(scenario, how.scopes());
        Scenario multiplied = scenario.withSetupAppended(many.rows());
        Map<MeasuredDatabase, Calls.Stock> stocks = new LinkedHashMap<>();
        try (Databases databases = new Databases(server, how.clients())) {
            List<Lane> lanes = new ArrayList<>();
            for (Contestant contestant : contestants) {
                Optional<Opened> opened = open(databases, contestant, multiplied);
                if (opened.isPresent()) {
                    Opened lane = opened.orElseThrow();
                    Calls.Stock stock = stocks.computeIfAbsent(
                            lane.database(), database -> new Calls.Stock(database, how.clients(), many.values()));
                    lanes.add(lane.lane(
                            contestant,
                            new Calls.Spread(stock, how.clients(), scenario, entries),
                            samples,
                            progress));
                } else if (contestant.name().equals(Contestant.UNGUARDED)) {
                    return Map.of();
                }
            }
            return loads(lanes, how.round(contestants.size(), 2));
        }
    }

    /** A contestant with a database. */
    private record Opened(MeasuredDatabase database, List<Program> programs) {
        Lane lane(Contestant contestant, Calls calls, LockSamples samples, Progress progress) {
            return new Lane(contestant.name(), database, programs, calls, samples, progress);
        }
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

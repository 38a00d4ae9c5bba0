package dev.cerrojo.benchmarks;

import dev.cerrojo.embedded.EmbeddedPostgres;
import dev.cerrojo.explorer.measure.Comparison;
import dev.cerrojo.invariant.SerializationPoint;
import dev.cerrojo.invariant.SerializationPoint.RowLock;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Guarded transactions beside the same by hand, each serialization point, the trigger guard, and SERIALIZABLE with retry; on one
 * hot scope, on 10 and on 1,000; commits durable. From the root of a checkout:
 *
 * <pre>{@code
 * mvn -B -Djacoco.skip=true -pl benchmarks -am -Dtest=GuardBenchmark -Dsurefire.failIfNoSpecifiedTests=false test
 * }</pre>
 *
 * <p>{@code -Dcerrojo.benchmark.rounds=…} and {@code -Dcerrojo.benchmark.clients=…} change 15 rounds and 8 clients.
 */
class GuardBenchmark {
    private static final int CLIENTS = Integer.getInteger("cerrojo.benchmark.clients", 8);
    private static final Comparison COMPARISON =
            new Comparison(CLIENTS, Integer.getInteger("cerrojo.benchmark.rounds", 15), Duration.ofMillis(400));

    @Test
    void guards() throws Exception {
        EmbeddedPostgres.Options options = EmbeddedPostgres.Options.builder()
                .durable(true)
                .setting("max_connections", "200")
                .build();
        try (EmbeddedPostgres server = EmbeddedPostgres.start(options)) {
            for (int scopes : List.of(1, 10, 1_000)) {
                compare(server, scopes);
            }
        }
    }

    private static void compare(EmbeddedPostgres server, int scopes) throws Exception {
        try (Ward plain = Ward.create(server, "plain" + scopes, scopes, CLIENTS, false);
                Ward triggers = Ward.create(server, "triggers" + scopes, scopes, CLIENTS, true)) {
            MeasuredTable.print(
                    scopes + " scopes, " + CLIENTS + " clients", COMPARISON.of(contenders(plain, triggers)));
        }
    }

    private static List<ShiftContender> contenders(Ward plain, Ward triggers) throws SQLException {
        SerializationPoint touch = SerializationPoint.touch(Ward.COVERAGE);
        SerializationPoint row = SerializationPoint.lockScopeRow(Ward.COVERAGE, RowLock.FOR_NO_KEY_UPDATE);
        SerializationPoint advisory = SerializationPoint.advisory(Ward.COVERAGE);
        List<ShiftContender> contenders = new ArrayList<>();
        contenders.add(of("touch, by hand", plain, Toggles.byHand(plain, List.of(touch.sql("?")), true)));
        contenders.add(of("touch, guarded", plain, Toggles.guarded(plain, touch)));
        contenders.add(of("scope row, by hand", plain, Toggles.byHand(plain, List.of(row.sql("?")), true)));
        contenders.add(of("scope row, guarded", plain, Toggles.guarded(plain, row)));
        contenders.add(of("advisory, by hand", plain, Toggles.byHand(plain, List.of(advisory.sql("?")), true)));
        contenders.add(of("advisory, guarded", plain, Toggles.guarded(plain, advisory)));
        contenders.add(of("trigger guard", triggers, Toggles.byHand(triggers, List.of(), false)));
        contenders.add(of("serializable, retried", plain, Toggles.serializable(plain)));
        contenders.add(of("unguarded", plain, Toggles.byHand(plain, List.of(), false)));
        return contenders;
    }

    private static ShiftContender of(String name, Ward ward, ShiftContender.Toggle toggle) {
        return new ShiftContender(name, ward, toggle);
    }
}

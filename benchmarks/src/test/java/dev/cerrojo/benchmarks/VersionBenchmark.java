package dev.cerrojo.benchmarks;

import dev.cerrojo.Actor;
import dev.cerrojo.embedded.EmbeddedPostgres;
import dev.cerrojo.explorer.measure.Comparison;
import dev.cerrojo.explorer.measure.Contender;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What versions cost per save: by trigger and by the application, beside none; commits durable. From the root of a checkout:
 *
 * <pre>{@code
 * mvn -B -Djacoco.skip=true -pl benchmarks -am -Dtest=VersionBenchmark -Dsurefire.failIfNoSpecifiedTests=false test
 * }</pre>
 *
 * <p>{@code -Dcerrojo.benchmark.rounds=…} and {@code -Dcerrojo.benchmark.clients=…} change 15 rounds and 8 clients.
 */
class VersionBenchmark {
    private static final int CLIENTS = Integer.getInteger("cerrojo.benchmark.clients", 8);
    private static final Comparison COMPARISON =
            new Comparison(CLIENTS, Integer.getInteger("cerrojo.benchmark.rounds", 15), Duration.ofMillis(400));

    @Test
    void versions() throws Exception {
        EmbeddedPostgres.Options options =
                EmbeddedPostgres.Options.builder().durable(true).build();
        try (EmbeddedPostgres server = EmbeddedPostgres.start(options);
                Desk plain = Desk.create(server, "plain", CLIENTS, false);
                Desk triggers = Desk.create(server, "triggers", CLIENTS, true)) {
            List<Contender> contenders = List.of(
                    plain.plain("no versions"),
                    plain.saying("no versions, actor said", Actor.EDITOR),
                    triggers.plain("trigger, version"),
                    triggers.saying("trigger, actor said", Actor.EDITOR),
                    triggers.saying("trigger, log entry", Actor.SYSTEM),
                    plain.recording("application, version"));
            MeasuredTable.print("Saves of one field, " + CLIENTS + " clients", COMPARISON.of(contenders));
        }
    }
}

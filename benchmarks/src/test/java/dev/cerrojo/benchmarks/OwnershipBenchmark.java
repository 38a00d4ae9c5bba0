package dev.cerrojo.benchmarks;

import dev.cerrojo.Actor;
import dev.cerrojo.embedded.EmbeddedPostgres;
import dev.cerrojo.explorer.measure.Comparison;
import dev.cerrojo.ownership.OwnershipOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What the triggers of field ownership cost per save of a whole row, and owned updates beside the same by hand; on 1,000 rows of 12
 * columns; commits durable. From the root of a checkout:
 *
 * <pre>{@code
 * mvn -B -Djacoco.skip=true -pl benchmarks -am -Dtest=OwnershipBenchmark -Dsurefire.failIfNoSpecifiedTests=false test
 * }</pre>
 *
 * <p>{@code -Dcerrojo.benchmark.rounds=…} and {@code -Dcerrojo.benchmark.clients=…} change 15 rounds and 8 clients.
 */
class OwnershipBenchmark {
    private static final int CLIENTS = Integer.getInteger("cerrojo.benchmark.clients", 8);
    private static final Comparison COMPARISON =
            new Comparison(CLIENTS, Integer.getInteger("cerrojo.benchmark.rounds", 15), Duration.ofMillis(400));

    @Test
    void saves() throws Exception {
        EmbeddedPostgres.Options options = EmbeddedPostgres.Options.builder()
                .durable(true)
                .setting("max_connections", "200")
                .build();
        try (EmbeddedPostgres server = EmbeddedPostgres.start(options);
                Newspaper plain = Newspaper.create(server, "plain", CLIENTS, List.of());
                Newspaper reject = Newspaper.create(server, "reject", CLIENTS, List.of(OwnershipOptions.reject()));
                Newspaper preserve =
                        Newspaper.create(server, "preserve", CLIENTS, List.of(OwnershipOptions.preserve()))) {
            List<SaveContender> contenders = new ArrayList<>();
            contenders.add(new SaveContender("whole row, no trigger", plain, Saves.wholeRow(plain, Actor.EDITOR)));
            contenders.add(new SaveContender("whole row, reject", reject, Saves.wholeRow(reject, Actor.EDITOR)));
            contenders.add(new SaveContender("whole row, preserve", preserve, Saves.wholeRow(preserve, Actor.EDITOR)));
            contenders.add(new SaveContender("no actor said, no trigger", plain, Saves.wholeRow(plain)));
            contenders.add(new SaveContender("no actor said, preserve", preserve, Saves.wholeRow(preserve)));
            contenders.add(new SaveContender("one field by hand", plain, Saves.byHand(plain)));
            contenders.add(new SaveContender("one field, owned update", plain, Saves.owned(plain)));
            contenders.add(new SaveContender("one field, owned, reject", reject, Saves.owned(reject)));
            MeasuredTable.print("saves, %d clients".formatted(CLIENTS), COMPARISON.of(contenders));
        }
    }
}

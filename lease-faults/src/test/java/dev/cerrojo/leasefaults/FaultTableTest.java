package dev.cerrojo.leasefaults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the guide says of faults is what the recorded runs gave, and nothing else. */
class FaultTableTest {
    private static final List<Row> RECORDED = Results.recorded();

    private static Round round(boolean holderDied, long acquisitions, long losses, long failures, Duration... leads) {
        return new Round(
                holderDied, acquisitions, acquisitions, losses, failures, List.of(leads), Optional.empty(), 3, 0, 0);
    }

    private static Row row(Set<Outcome> allowed, Round... rounds) {
        return Row.of("etcd", Fault.DELAYED, allowed, List.of(rounds));
    }

    @Test
    void theGuideHasTheTablesOfTheRecordedRows() throws IOException {
        String guide = Files.readString(FaultTable.GUIDE);

        assertThat(guide)
                .as("record with -Dcerrojo.leases=all; that writes the guide, too")
                .isEqualTo(FaultTable.within(guide, RECORDED));
    }

    @Test
    void eachRecordedRoundEndedAsItMay() {
        assertThat(RECORDED)
                .hasSizeGreaterThan(40)
                .allSatisfy(row -> assertThat(row.allowed())
                        .containsAll(row.seen().keySet())
                        .doesNotContain(Outcome.UNTOLD));
    }

    @Test
    void nothingStaleWasCommittedExceptWithoutFences() {
        assertThat(RECORDED)
                .allSatisfy(row -> assertThat(
                                row.counts().stale() == 0 && row.counts().overwritten() == 0)
                        .as(row.line())
                        .isEqualTo(row.fenced()));
        assertThat(RECORDED).anyMatch(row -> !row.fenced());
    }

    @Test
    void everyStoreMetItsFaultsOnce() {
        assertThat(RECORDED.stream().map(row -> row.store() + ": " + row.fault()))
                .doesNotHaveDuplicates();
        for (StoreKind store : StoreKind.values()) {
            assertThat(RECORDED)
                    .filteredOn(row -> row.store().equals(store.toString()))
                    .extracting(Row::fault)
                    .contains(Fault.HOLDER_PAUSED, Fault.HOLDER_KILLED, Fault.HOLDER_KILLED_AT_TWO_SECONDS);
        }
    }

    @Test
    void aLineSaysTheRow() {
        assertThat(RECORDED).allSatisfy(row -> assertThat(Row.parse(row.line())).isEqualTo(row));
    }

    @Test
    void countsSayHowARoundEnded() {
        Duration before = Duration.ofMillis(5);
        Map<Outcome, Round> rounds = Map.of(
                Outcome.KEPT, round(false, 0, 0, 1),
                Outcome.GIVEN_BACK, round(false, 1, 0, 1),
                Outcome.TOLD_BEFORE, round(false, 1, 1, 1, before),
                Outcome.TOLD_AFTER, round(false, 2, 2, 0, before, before.negated()),
                Outcome.REPLACED, round(true, 1, 0, 0),
                Outcome.UNTOLD, round(false, 1, 0, 0));

        assertThat(rounds)
                .allSatisfy((outcome, round) -> assertThat(round.outcome()).isEqualTo(outcome));
        assertThat(rounds).hasSize(Outcome.values().length);
    }

    @Test
    void aCellSaysWhatWasSeenAndWhatElseMayBe() {
        Round kept = round(false, 0, 0, 0);
        Round lost = round(false, 1, 1, 0, Duration.ofMillis(5));

        assertThat(FaultTable.cell(row(Set.of(Outcome.KEPT), kept))).isEqualTo("kept");
        assertThat(FaultTable.cell(row(Set.of(Outcome.KEPT, Outcome.TOLD_BEFORE), kept, lost)))
                .isEqualTo("kept, or lost, told before");
        assertThat(FaultTable.cell(row(Set.of(Outcome.TOLD_AFTER, Outcome.TOLD_BEFORE), lost)))
                .isEqualTo("lost, told before (may be lost, told after)");
    }

    @Test
    void aTableThatWasWrittenByHandIsFound() throws IOException {
        String guide = Files.readString(FaultTable.GUIDE).replace("| replaced", "| kept");

        assertThat(FaultTable.within(guide, RECORDED)).isNotEqualTo(guide);
    }
}

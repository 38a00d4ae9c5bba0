package dev.cerrojo.explorer.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.check.Doom;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.search.Execution;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What stands in the page; how it looks is for a browser to tell. */
class HtmlReportTest {
    private static final Optional<Doom> AFTER_TWO = Optional.of(new Doom(2, 3));

    private static String page(CheckReport report, Optional<Doom> doom) {
        HtmlReport page = new HtmlReport("check", "1.2.3");
        page.add(report, doom);
        return page.document();
    }

    private static Found violated() {
        return new Found().violated(7, Found.bothLeave().ending(Found.NOBODY_ON_CALL));
    }

    private static Lanes lanes(Execution execution) {
        return Lanes.of(List.of(List.of(Phrase.of("one")), List.of(Phrase.of("two"))), execution.trace());
    }

    @Test
    void saysTheVerdictTheRuleAndFromWhenOnItIsLost() {
        assertThat(page(violated().report(), AFTER_TWO))
                .contains("VIOLATED</strong>")
                .contains("7 of 20 schedules end with on_call_coverage violated.")
                .contains("on_call_coverage: every shift keeps a doctor")
                .contains("It is lost after turn 2: all 3 ways to go on from there were run, and each ends violated.")
                .contains("class=\"doom\"")
                .contains("./cerrojo check --replay 1:ABBBAA examples/on-call.yaml")
                .contains("version 1.2.3");
    }

    @Test
    void drawsNoLineAndSaysWhyWhereTheMomentIsNotKnown() {
        assertThat(page(violated().report(), Optional.empty()))
                .doesNotContain("class=\"doom\"")
                .contains("From which turn on the schedule shown is lost was not decided");
    }

    @Test
    void aVerdictThatHoldsHasNoScheduleAndStillItsLimits() {
        assertThat(page(new Found().report(), Optional.empty()))
                .contains("HOLDS</strong>")
                .doesNotContain("lanechart\"")
                .contains("HOLDS is said of this scenario alone");
    }

    @Test
    void aDeadlockIsShownWhereNothingIsViolated() {
        String page =
                page(new Found().deadlocking(2, Found.deadlocks().ending()).report(), Optional.empty());

        assertThat(page)
                .contains("The shortest schedule that deadlocks")
                .contains("deadlock of A and B: A is the victim")
                .contains("class=\"wait\"");
    }

    @Test
    void severalFilesAreListedWithTheirVerdicts() {
        HtmlReport page = new HtmlReport("check", "1");
        page.add(violated().report(), Optional.empty());
        page.addFailure("broken & bent.yaml", "line 3: \"steps\" is missing");

        assertThat(page.document())
                .contains("<title>2 scenarios")
                .contains("<a href=\"#f1\">examples/on-call.yaml</a>")
                .contains("broken &amp; bent.yaml")
                .contains("line 3: \"steps\" is missing");
    }

    @Test
    void repairsAreAMatrixWithEvidence() {
        RepairReport report = Repairs.report();
        HtmlReport page = new HtmlReport("repair", "1");
        page.add(new CheckReport(report.base(), "17.11", Duration.ofMillis(420), List.of()), report, Optional.empty());

        assertThat(page.document())
                .contains("href=\"#f1-touch-rc\"")
                .contains("id=\"f1-touch-rc\"")
                .contains("Popular ideas that fail")
                .contains("native-constraint was not tried: PostgreSQL has no constraint for this rule.")
                .contains("Another code path can forget it.")
                .contains("UPDATE guard\n   SET scope = scope;");
    }

    @Test
    void waitsGoFromTheTurnThatBeganThemToTheOneThatEndedThem() {
        assertThat(lanes(Found.oneWaits().ending()).waits()).containsExactly(new Lanes.Wait(1, 1, 2, List.of(0)));
        assertThat(lanes(Found.deadlocks().ending()).waits()).containsExactly(new Lanes.Wait(1, 2, 3, List.of(0)));
    }

    @Test
    void everyReadCommittedStatementTakesASnapshot() {
        assertThat(lanes(Found.bothLeave().ending()).turns().stream()
                        .map(turn -> turn.cells().get(0).mark()))
                .containsExactly(
                        Lanes.Mark.SNAPSHOT,
                        Lanes.Mark.SNAPSHOT,
                        Lanes.Mark.SNAPSHOT,
                        Lanes.Mark.COMMIT,
                        Lanes.Mark.SNAPSHOT,
                        Lanes.Mark.COMMIT);
    }

    @Test
    void nothingInAPictureIsWiderThanItsCard() {
        for (LaneChart.Size size : List.of(LaneChart.Size.wide(2), LaneChart.Size.NARROW)) {
            LaneChart chart = LaneChart.of(lanes(Found.bothLeave().ending()), size, OptionalInt.of(2), "violated");

            assertThat(chart.cards())
                    .allSatisfy(card -> assertThat(card.lines())
                            .allSatisfy(line -> assertThat(line.phrase().width() * size.letter())
                                    .isLessThanOrEqualTo(card.width() - size.padding())));
            assertThat(chart.cards().get(5).y()).isLessThan(chart.bottom());
            assertThat(chart.doom())
                    .isBetween(chart.cards().get(1).y(), chart.cards().get(2).y());
        }
    }

    @Test
    void moreLanesAreNarrower() {
        assertThat(LaneChart.Size.wide(3).lane())
                .isLessThan(LaneChart.Size.wide(2).lane());
        assertThat(LaneChart.Size.wide(9).lane())
                .isEqualTo(LaneChart.Size.wide(5).lane());
    }

    @Test
    void theNameOfAnInvariantIsNotWrittenOtherwise() {
        assertThat(page(new Found().report(), Optional.empty()))
                .contains(">on_call_coverage holds at the end of all 20 schedules.<");
    }

    @Test
    void numbersAreDrawnAsBars() {
        BarsView bars = new BarsView(
                "cost",
                "What it costs",
                "One hot scope.",
                "transactions per second",
                List.of(new BarsView.Bar("touch", 62.5, "812", "p99 <9 ms")));
        gg.jte.output.StringOutput output = new gg.jte.output.StringOutput();

        HtmlReport.TEMPLATES.render("bars.jte", java.util.Map.of("bars", bars), output);

        assertThat(output.toString()).contains("width=\"62.5\"").contains("812").contains("p99 &lt;9 ms");
    }
}

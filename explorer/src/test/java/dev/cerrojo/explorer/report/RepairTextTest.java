package dev.cerrojo.explorer.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.repair.RepairReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RepairTextTest {
    private static CheckReport check(RepairReport report) {
        return new CheckReport(report.base(), "17.11", Duration.ofMillis(420), List.of());
    }

    private static String text(RepairReport report, Look look) {
        return RepairText.of(check(report), report, look);
    }

    @Test
    void showsTheTableAndTheRecommendation() {
        assertThat(text(Repairs.report(), new Look(Style.PLAIN, true, 110)))
                .startsWith("VIOLATED: 1 of 20 schedules ends with on_call_coverage violated.\n")
                .endsWith("""
                        What was tried, at READ COMMITTED (RC), REPEATABLE READ (RR) and SERIALIZABLE (SER)

                          Repairs              RC           RR               SER           deadlocks  scopes wait  adds  new errors
                            touch            ✔ holds      ✔ holds          ✔ holds         SER        no           +1    40001:RR+SER,
                                                                                                                         40P01:SER
                            lock-read-rows   ✘ violated*  ✘ violated       ? inconclusive  –          –            0     –
                            repeatable-read  – not tried  ✘ never commits  – not tried     –          –            0     –

                          Popular ideas that fail
                            share-lock       ✘ violated   ✘ violated       – not tried     –          –            +1    –

                          scopes wait: transactions of two different scopes wait for each other. adds: statements per transaction, at
                          most. new errors: SQLSTATEs that callers did not see before, and where (of the levels where it holds). *:
                          only inside of a statement or COMMIT; --explain shows it.

                          The file's own, as declared
                            user-1  ✔ holds     touch the shift             expected holds: met
                            user-2  ✘ violated  check inside of the UPDATE  expected holds: NOT MET
                            user-3  ✘ violated  no idea

                          Whether two scopes wait for each other was not tried: the file has no scope_rows.

                          Not tried
                            – native-constraint: PostgreSQL has no constraint for this rule

                        Recommendation: Touch a guard row (touch)

                          Why
                          • It holds at every level.
                          • No schedule deadlocks.

                          How
                            -- first in leave
                            UPDATE guard
                               SET scope = scope;

                          What remains at risk
                          • Another code path can forget it.

                        What a candidate changes, and its schedules:  ./cerrojo repair --explain touch examples/on-call.yaml

                        What this does not show:
                          • What happens inside one statement, or inside COMMIT, is one step here.
                          • Only these sessions and these rows took part; more of them can do more.
                          • It ran on PostgreSQL 17.11; other versions can differ.
                        """);
    }

    @Test
    void showsPrices() {
        assertThat(text(Repairs.priced(), new Look(Style.PLAIN, true, 120)))
                .contains("""
                What the repairs cost that hold
                  8 clients on the embedded server (PostgreSQL 17.11), durable commits, 5 rounds of each by turns, 8 s in all.

                  Spread over 1,000 scopes: no two calls meet
                                  calls/s  of unguarded      p50 ms  p99 ms  retries  wait ms  refused
                    unguarded     2,000    1.00 [0.98 1.02]  4.00    12.0    0.00     1.00     25%
                    touch         1,860    0.93 [0.91 0.95]  4.30    12.9    0.00     1.08     25%
                    serializable  1,500    0.75 [0.74 0.77]  5.33    16.0    0.01     1.33     25%

                  All 8 at once in one scope
                                  calls/s  of unguarded      p50 ms  p99 ms  retries  wait ms  refused
                    unguarded     1,000    1.00 [0.98 1.02]  8.00    24.0    0.00     2.00     25%
                    touch         800      0.80 [0.78 0.82]  10.0    30.0    0.00     2.50     25%
                    serializable  310      0.31 [0.30 0.32]  25.8    77.4    3.50     6.45     25%

                  Of a call when nobody else runs, counted
                                  more round trips  bytes of log
                    unguarded     0                 412
                    touch         +1                524
                    serializable  0                 412
                """)
                .contains("\n  Not measured: user-2 (check inside of the UPDATE): it has runs of its own.\n");
    }

    @Test
    void saysWhenRoundsDifferMuch() {
        assertThat(PriceWords.how(Repairs.prices())).doesNotContain("differ");
        assertThat(PriceWords.how(Repairs.prices(0.2))).contains("The rounds differ much");
    }

    @Test
    void saysWhyPricesWereNotMeasured() {
        RepairReport report = new RepairReport(
                Repairs.violated().in(Found.scenario()),
                List.of(Repairs.touch()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of("every session works in several scopes"));

        assertThat(text(report, Look.plain()))
                .contains(
                        "\nWhat the repairs cost that hold\n  Not measured: every session works in several scopes.\n");
    }

    @Test
    void saysThatNoneIsNeeded() {
        RepairReport report = new RepairReport(
                new Found().in(Found.scenario()),
                List.of(Repairs.touch()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());

        assertThat(text(report, Look.plain()))
                .contains("\nRecommendation: none is needed. The invariant holds as the file stands.\n");
    }

    @Test
    void saysThatNoneHolds() {
        RepairReport report = new RepairReport(
                Repairs.violated().in(Found.scenario()),
                List.of(Repairs.shareLock()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());

        assertThat(text(report, Look.plain()))
                .contains("\nRecommendation: none. No candidate holds at the file's isolation level.\n");
    }

    @Test
    void hasTheSameTextInColourAndIsAsciiWhereAskedFor() {
        String plain = text(Repairs.report(), Look.plain());
        String coloured = text(Repairs.report(), new Look(Style.ANSI, true, 100));

        assertThat(coloured.replaceAll("\u001b\\[[0-9;]*m", "").replaceAll(" +\n", "\n"))
                .isEqualTo(plain.replaceAll(" +\n", "\n"));
        assertThat(text(Repairs.report(), new Look(Style.PLAIN, false, 100))).isASCII();
    }
}

package dev.cerrojo.benchmarks;

import dev.cerrojo.explorer.measure.Measured;
import dev.cerrojo.explorer.measure.Spread;
import java.util.List;
import java.util.Locale;

/** Prints what was measured side by side. */
final class MeasuredTable {
    private MeasuredTable() {}

    static void print(String title, List<Measured> measured) {
        System.out.printf(
                Locale.ROOT,
                "%n%s, ratios to the first, median [quartiles]%n%-28s %8s %9s %9s %8s  %-20s %s%n",
                title,
                "",
                "tx/s",
                "p50 ms",
                "p99 ms",
                "retries",
                "throughput ratio",
                "p99 ratio");
        measured.forEach(MeasuredTable::print);
    }

    private static void print(Measured each) {
        System.out.printf(
                Locale.ROOT,
                "%-28s %8.0f %9.2f %9.2f %8.2f  %-20s %s%n",
                each.name(),
                each.throughput().median(),
                each.p50().median(),
                each.p99().median(),
                each.retriesPerTransaction().median(),
                text(each.throughputRatio()),
                text(each.p99Ratio()));
    }

    private static String text(Spread ratio) {
        return String.format(Locale.ROOT, "%.2f [%.2f %.2f]", ratio.median(), ratio.low(), ratio.high());
    }
}

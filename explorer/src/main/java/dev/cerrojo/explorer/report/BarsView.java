package dev.cerrojo.explorer.report;

import java.util.List;

/**
 * Numbers as bars in an HTML report: what repairs cost.
 *
 * @param id an anchor
 * @param title the heading
 * @param says how they were measured, in a sentence
 * @param what the numbers are, with their unit
 * @param bars the bars
 */
record BarsView(String id, String title, String says, String what, List<Bar> bars) {
    /** Copies the list. */
    BarsView {
        bars = List.copyOf(bars);
    }

    /**
     * A bar.
     *
     * @param label whose number it is
     * @param percent how long it is, 0 to 100 of the longest
     * @param text the number as it is read
     * @param more what else was measured of it; may be empty
     */
    record Bar(String label, double percent, String text, String more) {}
}

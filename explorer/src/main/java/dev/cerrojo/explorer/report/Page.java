package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.report.Style.Tone;
import java.util.ArrayList;
import java.util.List;

/** The lines of a text report, as they come to be. */
final class Page {
    private static final int GAP = 2;
    private static final int NARROWEST_TAIL = 16;

    private final Look look;
    private final StringBuilder text = new StringBuilder();

    Page(Look look) {
        this.look = look;
    }

    Look look() {
        return look;
    }

    /** Adds a line as it is, without blanks at its end. */
    void line(Phrase line) {
        String drawn = line.draw(look.style());
        text.append(look.style() == Style.PLAIN ? drawn.stripTrailing() : drawn).append('\n');
    }

    void line(String line) {
        line(Phrase.of(line));
    }

    void blank() {
        text.append('\n');
    }

    /** Adds text that goes on over several lines, indented. */
    void paragraph(int indent, Phrase phrase) {
        paragraph(" ".repeat(indent), phrase);
    }

    /** Adds text behind a mark; its further lines are indented by the mark's width. */
    void paragraph(String mark, Phrase phrase) {
        String margin = " ".repeat(DisplayWidth.of(mark));
        List<Phrase> lines = phrase.wrapped(look.width() - margin.length(), 0);
        for (int i = 0; i < lines.size(); i++) {
            line(Phrase.of(i == 0 ? mark : margin).and(lines.get(i)));
        }
    }

    void heading(String heading) {
        blank();
        line(Phrase.of(Tone.STRONG, heading));
    }

    /** Adds an item of a list. */
    void item(String item) {
        paragraph("  " + look.bullet() + " ", Phrase.of(item));
    }

    /** Adds a table. The last column is not padded, and goes on over several lines where it is too wide. */
    void table(int indent, List<List<Phrase>> rows) {
        List<Integer> widths = widths(rows);
        for (List<Phrase> row : rows) {
            Phrase line = Phrase.of(" ".repeat(indent));
            for (int i = 0; i < row.size() - 1; i++) {
                line = line.and(row.get(i).padded(widths.get(i) + GAP));
            }
            int left = Math.max(NARROWEST_TAIL, look.width() - line.width());
            List<Phrase> tail = row.get(row.size() - 1).wrapped(left, 0);
            for (int i = 0; i < tail.size(); i++) {
                line((i == 0 ? line : Phrase.of(" ".repeat(line.width()))).and(tail.get(i)));
            }
        }
    }

    /** The widest of each column, but of the last. */
    private static List<Integer> widths(List<List<Phrase>> rows) {
        List<Integer> widths = new ArrayList<>();
        for (List<Phrase> row : rows) {
            for (int i = 0; i < row.size() - 1; i++) {
                if (i == widths.size()) {
                    widths.add(0);
                }
                widths.set(i, Math.max(widths.get(i), row.get(i).width()));
            }
        }
        return widths;
    }

    /** {@return everything so far, each line ended} */
    @Override
    public String toString() {
        return text.toString();
    }
}

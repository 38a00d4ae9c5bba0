package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.report.Style.Tone;
import java.util.ArrayList;
import java.util.List;

/** The lines of a text report, as they come to be. */
final class Page {
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

    /** Adds a table; the last column is not padded. */
    void table(int indent, List<List<Phrase>> rows) {
        List<Integer> widths = new ArrayList<>();
        for (List<Phrase> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                int width = row.get(i).width();
                if (i == widths.size()) {
                    widths.add(width);
                } else {
                    widths.set(i, Math.max(widths.get(i), width));
                }
            }
        }
        for (List<Phrase> row : rows) {
            Phrase line = Phrase.of(" ".repeat(indent));
            for (int i = 0; i < row.size(); i++) {
                boolean last = i == row.size() - 1;
                line = line.and(last ? row.get(i) : row.get(i).padded(widths.get(i) + 2));
            }
            line(line);
        }
    }

    /** {@return everything so far, each line ended} */
    @Override
    public String toString() {
        return text.toString();
    }
}

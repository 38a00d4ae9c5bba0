package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.search.Execution;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws one schedule: a column for each session, a row for each turn, numbered as the schedule's choices are. When the
 * columns would be too narrow to read, the sessions' parts of a row stand below each other.
 */
final class Timeline {
    private static final int NARROWEST_COLUMN = 22;
    private static final int HANGING = 2;

    private final Page page;
    private final List<TimelineRow> rows;
    private final int sessions;
    private final int numberWidth;
    private final int columnWidth;

    private Timeline(Page page, List<TimelineRow> rows, int sessions) {
        this.page = page;
        this.rows = rows;
        this.sessions = sessions;
        this.numberWidth =
                rows.stream().mapToInt(row -> row.number().length()).max().orElse(0);
        int separators = 3 * (sessions - 1);
        this.columnWidth = (page.look().width() - 2 - numberWidth - 1 - separators) / sessions;
    }

    static void draw(Page page, Scenario scenario, Run run, Execution execution) {
        draw(page, TimelineRow.of(scenario, run, execution.trace(), page.look()));
    }

    /** Draws a schedule of sessions that are no scenario's. */
    static void draw(Page page, List<TimelineRow> rows) {
        Timeline timeline = new Timeline(page, rows, rows.get(0).cells().size());
        if (timeline.columnWidth >= NARROWEST_COLUMN) {
            timeline.drawColumns();
        } else {
            timeline.drawBelowEachOther();
        }
    }

    private void drawColumns() {
        for (int i = 0; i < rows.size(); i++) {
            TimelineRow row = rows.get(i);
            if (row.rule()) {
                rule();
            }
            draw(row);
        }
    }

    private void rule() {
        String bar = page.look().horizontal();
        String line = bar.repeat(numberWidth + 1 + columnWidth);
        for (int i = 1; i < sessions; i++) {
            line += bar + page.look().crossing() + bar + bar.repeat(columnWidth);
        }
        page.line(Phrase.of("  ").and(Tone.FAINT, line));
    }

    private void draw(TimelineRow row) {
        List<List<Phrase>> columns = new ArrayList<>();
        for (int session = 0; session < sessions; session++) {
            columns.add(wrapped(row.cells().get(session), columnWidth));
        }
        int height = columns.stream().mapToInt(List::size).max().orElse(0);
        for (int line = 0; line < height; line++) {
            String number = line == 0 ? row.number() : "";
            page.line(line(
                    Phrase.of("  ").and(Tone.FAINT, " ".repeat(numberWidth - number.length()) + number + " "),
                    columns,
                    line));
        }
    }

    private static List<Phrase> wrapped(List<Phrase> cell, int width) {
        List<Phrase> lines = new ArrayList<>();
        cell.forEach(part -> lines.addAll(part.wrapped(width, HANGING)));
        return lines;
    }

    private Phrase line(Phrase start, List<List<Phrase>> columns, int index) {
        Phrase line = start;
        for (int session = 0; session < sessions; session++) {
            if (session > 0) {
                line = line.and(Tone.FAINT, " " + page.look().vertical() + " ");
            }
            List<Phrase> column = columns.get(session);
            Phrase part = index < column.size() ? column.get(index) : Phrase.EMPTY;
            line = line.and(session == sessions - 1 ? part : part.padded(columnWidth));
        }
        return line;
    }

    private void drawBelowEachOther() {
        draw(rows.get(0).cells(), "");
        for (TimelineRow row : rows.subList(1, rows.size())) {
            draw(row.cells(), " ".repeat(numberWidth - row.number().length()) + row.number() + " ");
        }
    }

    /** Draws a row; its sessions' letters stand before their parts, but in the first row, which names them itself. */
    private void draw(List<List<Phrase>> cells, String number) {
        for (int session = 0; session < sessions; session++) {
            String mark = "  " + number + (number.isEmpty() ? "" : Words.letter(session) + "  ");
            for (Phrase part : cells.get(session)) {
                page.paragraph(mark, part);
                mark = " ".repeat(mark.length());
            }
        }
    }
}

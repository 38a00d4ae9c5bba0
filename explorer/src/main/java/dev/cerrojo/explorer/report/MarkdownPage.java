package dev.cerrojo.explorer.report;

import java.util.Collections;
import java.util.List;

/** Blocks of Markdown, as they come to be. What is added is Markdown already: text from outside comes through {@link Markdown}. */
final class MarkdownPage {
    private final StringBuilder text = new StringBuilder();

    private void block(String lines) {
        if (text.length() > 0) {
            text.append('\n');
        }
        text.append(lines);
    }

    MarkdownPage title(String title) {
        block("# " + title + "\n");
        return this;
    }

    MarkdownPage section(String heading) {
        block("## " + heading + "\n");
        return this;
    }

    MarkdownPage heading(String heading) {
        block("### " + heading + "\n");
        return this;
    }

    MarkdownPage paragraph(String line) {
        block(line + "\n");
        return this;
    }

    MarkdownPage quote(List<String> paragraphs) {
        block("> " + String.join("\n>\n> ", paragraphs) + "\n");
        return this;
    }

    MarkdownPage items(List<String> items) {
        if (!items.isEmpty()) {
            block("- " + String.join("\n- ", items) + "\n");
        }
        return this;
    }

    MarkdownPage code(String language, String code) {
        block(Markdown.block(language, code));
        return this;
    }

    /** Adds a table; rows may be shorter than its head. */
    MarkdownPage table(List<String> heads, List<List<String>> rows) {
        StringBuilder table = new StringBuilder();
        row(table, heads, heads.size());
        row(table, Collections.nCopies(heads.size(), "---"), heads.size());
        rows.forEach(cells -> row(table, cells, heads.size()));
        block(table.toString());
        return this;
    }

    private static void row(StringBuilder table, List<String> cells, int columns) {
        table.append('|');
        for (int i = 0; i < columns; i++) {
            table.append(' ').append(i < cells.size() ? cells.get(i) : "").append(" |");
        }
        table.append('\n');
    }

    /** {@return everything so far, each line ended} */
    @Override
    public String toString() {
        return text.toString();
    }
}

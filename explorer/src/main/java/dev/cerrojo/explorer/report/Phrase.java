package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.report.Style.Tone;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Text with tones. Layout is made of the text alone, and tones are drawn last, so that colour changes no line.
 *
 * @param spans its pieces
 */
record Phrase(List<Span> spans) {
    static final Phrase EMPTY = new Phrase(List.of());

    Phrase {
        spans = List.copyOf(spans);
    }

    /** A piece of one tone. */
    record Span(Tone tone, String text) {}

    static Phrase of(String text) {
        return of(Tone.NORMAL, text);
    }

    static Phrase of(Tone tone, String text) {
        return new Phrase(List.of(new Span(tone, text)));
    }

    Phrase and(String text) {
        return and(Tone.NORMAL, text);
    }

    Phrase and(Tone tone, String text) {
        return and(of(tone, text));
    }

    Phrase and(Phrase other) {
        List<Span> all = new ArrayList<>(spans);
        all.addAll(other.spans);
        return new Phrase(all);
    }

    String text() {
        return spans.stream().map(Span::text).collect(Collectors.joining());
    }

    int width() {
        return DisplayWidth.of(text());
    }

    String draw(Style style) {
        return spans.stream().map(span -> style.draw(span.tone(), span.text())).collect(Collectors.joining());
    }

    /** {@return this phrase with blanks behind it, so that it takes so many columns} */
    Phrase padded(int columns) {
        return and(" ".repeat(Math.max(0, columns - width())));
    }

    /**
     * Breaks it into lines: at its line feeds, else at blanks, else in the middle of a word.
     *
     * @param columns how wide a line may be
     * @param hanging how much deeper than a line what is broken off it is indented
     * @return at least one line
     */
    List<Phrase> wrapped(int columns, int hanging) {
        List<Phrase> lines = new ArrayList<>();
        String text = text();
        int indent = 0;
        int from = 0;
        boolean broken = false;
        do {
            int margin = broken ? Math.min(indent + hanging, columns / 2) : 0;
            indent = broken ? indent : leadingBlanks(text, from);
            int end = end(text, from, columns - margin);
            lines.add(of(" ".repeat(margin)).and(part(from, trimmed(text, from, end))));
            broken = end < text.length() && text.charAt(end) != '\n';
            from = next(text, end);
        } while (from < text.length());
        return lines;
    }

    private static int leadingBlanks(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
        return at - from;
    }

    /** {@return where the line that begins here ends} */
    private static int end(String text, int from, int columns) {
        int blank = -1;
        int width = 0;
        int at = from;
        while (at < text.length() && text.charAt(at) != '\n') {
            int c = text.codePointAt(at);
            width += DisplayWidth.of(c);
            if (c == ' ' && at > from) {
                blank = at;
            }
            if (width > columns) {
                return blank > from + columns / 3 ? blank : Math.max(at, from + 1);
            }
            at += Character.charCount(c);
        }
        return at;
    }

    private static int trimmed(String text, int from, int end) {
        int last = end;
        while (last > from && text.charAt(last - 1) == ' ') {
            last--;
        }
        return last;
    }

    /** {@return where the next line begins: the blanks of the break are left out, the indentation of a new line is not} */
    private static int next(String text, int end) {
        if (end < text.length() && text.charAt(end) == '\n') {
            return end + 1;
        }
        int next = end;
        while (next < text.length() && text.charAt(next) == ' ') {
            next++;
        }
        return next;
    }

    private Phrase part(int from, int to) {
        List<Span> parts = new ArrayList<>();
        int at = 0;
        for (Span span : spans) {
            int begin = Math.max(from, at);
            int end = Math.min(to, at + span.text().length());
            if (begin < end) {
                parts.add(new Span(span.tone(), span.text().substring(begin - at, end - at)));
            }
            at += span.text().length();
        }
        return new Phrase(parts);
    }
}

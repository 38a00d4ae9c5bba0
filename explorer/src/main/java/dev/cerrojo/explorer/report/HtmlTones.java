package dev.cerrojo.explorer.report;

import java.util.Locale;

/** What the style sheet calls tones. */
final class HtmlTones {
    private HtmlTones() {}

    static String of(Phrase.Span span) {
        return span.tone().name().toLowerCase(Locale.ROOT);
    }

    /** {@return the tone of the first piece that has one} */
    static String of(Phrase phrase) {
        return phrase.spans().stream()
                .filter(span -> span.tone() != Style.Tone.NORMAL)
                .findFirst()
                .map(HtmlTones::of)
                .orElse("normal");
    }
}

package dev.cerrojo.explorer.report;

/** How tones are drawn. The text is the same in every style: a tone never is the only sign of anything. */
public enum Style {
    /** Not at all. */
    PLAIN,
    /** With the escape sequences of a terminal (ECMA-48, Select Graphic Rendition). */
    ANSI;

    String draw(Tone tone, String text) {
        return this == PLAIN || tone.code.isEmpty() || text.isEmpty()
                ? text
                : "\u001b[" + tone.code + "m" + text + "\u001b[0m";
    }

    /** What a piece of text is. */
    enum Tone {
        NORMAL(""),
        STRONG("1"),
        FAINT("2"),
        GOOD("1;32"),
        BAD("1;31"),
        WARNING("33");

        private final String code;

        Tone(String code) {
            this.code = code;
        }
    }
}

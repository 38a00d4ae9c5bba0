package dev.cerrojo.explorer.report;

/**
 * How a text report looks.
 *
 * @param style whether there is colour
 * @param unicode whether lines and arrows may be drawn with characters outside of ASCII
 * @param width the longest line, in columns, at least 40
 */
public record Look(Style style, boolean unicode, int width) {
    private static final int NARROWEST = 40;

    /** Checks the width. */
    public Look {
        if (width < NARROWEST) {
            throw new IllegalArgumentException("width must be at least " + NARROWEST + ", but was " + width);
        }
    }

    /** {@return no colour, UTF-8, 100 columns} */
    public static Look plain() {
        return new Look(Style.PLAIN, true, 100);
    }

    String arrow() {
        return unicode ? "→" : "->";
    }

    String vertical() {
        return unicode ? "│" : "|";
    }

    String horizontal() {
        return unicode ? "─" : "-";
    }

    String crossing() {
        return unicode ? "┼" : "+";
    }

    String holds() {
        return unicode ? "✔" : "+";
    }

    String violated() {
        return unicode ? "✘" : "x";
    }

    String notTried() {
        return unicode ? "–" : "-";
    }

    String bullet() {
        return unicode ? "•" : "*";
    }
}

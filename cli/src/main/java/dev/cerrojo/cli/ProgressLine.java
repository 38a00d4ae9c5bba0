package dev.cerrojo.cli;

import dev.cerrojo.explorer.search.Progress;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Shows on a terminal how a search goes, in one line that is erased at the end; and ends the search on Ctrl-C. Safe to use from any
 * thread. */
final class ProgressLine implements Progress {
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(700);
    private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(150);
    private static final String ERASE = "\r\u001b[K";

    private final Terminal terminal;
    private final Interruption interruption;
    private final boolean visible;
    private String label = "";
    private long started;
    private long shown;
    private long searched;
    private boolean drawn;

    ProgressLine(Terminal terminal, Interruption interruption) {
        this.terminal = terminal;
        this.interruption = interruption;
        this.visible = terminal.errIsTerminal() && !terminal.isDumb();
    }

    /** Begins to count again. */
    synchronized void begin(String what) {
        interruption.throwIfRequested();
        label = what;
        started = System.nanoTime();
        shown = started + FIRST_NANOS - EVERY_NANOS;
        searched = 0;
    }

    @Override
    public synchronized void ran(long schedules, long violations, long waiting) {
        interruption.throwIfRequested();
        // several searches may be told of, each of which counts from 1
        searched++;
        long now = System.nanoTime();
        if (visible && now - shown >= EVERY_NANOS) {
            shown = now;
            draw(now, violations, waiting);
        }
    }

    private void draw(long now, long violations, long waiting) {
        long rate = searched * TimeUnit.SECONDS.toNanos(1) / Math.max(1, now - started);
        String text = String.format(
                Locale.ROOT,
                "%s: %,d schedules, %,d/s, %,d violating, at least %,d to go",
                label,
                searched,
                rate,
                violations,
                waiting);
        int width = terminal.width() - 1;
        terminal.err().print(ERASE + (text.length() > width ? text.substring(0, width) : text));
        terminal.err().flush();
        drawn = true;
    }

    /** Leaves nothing behind. */
    synchronized void erase() {
        if (drawn) {
            terminal.err().print(ERASE);
            terminal.err().flush();
            drawn = false;
        }
    }
}

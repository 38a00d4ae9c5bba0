package dev.cerrojo.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Where a command writes, and what that can show.
 *
 * @param out for what was asked for
 * @param err for messages and progress
 * @param outIsTerminal whether {@code out} is one
 * @param errIsTerminal whether {@code err} is one
 * @param unicode whether characters outside of ASCII can be written
 * @param environment the environment variables
 */
record Terminal(
        PrintWriter out,
        PrintWriter err,
        boolean outIsTerminal,
        boolean errIsTerminal,
        boolean unicode,
        Map<String, String> environment) {
    private static final int DEFAULT_WIDTH = 100;
    private static final int WIDEST = 160;
    private static final int NARROWEST = 60;

    /** {@return the process's own} */
    static Terminal ofProcess() {
        Charset charset = charset();
        return new Terminal(
                writer(System.out, charset),
                writer(System.err, charset),
                isTerminal(1),
                isTerminal(2),
                charset.equals(StandardCharsets.UTF_8),
                System.getenv());
    }

    /** JDK 17 knows the terminal's as {@code sun.stdout.encoding}, later ones as {@code stdout.encoding}. */
    private static Charset charset() {
        for (String property : new String[] {"stdout.encoding", "sun.stdout.encoding", "native.encoding"}) {
            String name = System.getProperty(property);
            if (name != null && Charset.isSupported(name)) {
                return Charset.forName(name);
            }
        }
        return Charset.defaultCharset();
    }

    private static PrintWriter writer(PrintStream stream, Charset charset) {
        return new PrintWriter(stream, true, charset);
    }

    /** {@code System.console()} speaks of input and output together, and not of errors; so others are asked. */
    private static boolean isTerminal(int descriptor) {
        Path link = Path.of("/proc/self/fd/" + descriptor);
        try {
            String target = Files.readSymbolicLink(link).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException notLinux) {
            return testsAsTerminal(descriptor);
        }
    }

    private static boolean testsAsTerminal(int descriptor) {
        try {
            ProcessBuilder test = new ProcessBuilder("sh", "-c", "test -t " + descriptor)
                    .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            return test.start().waitFor() == 0;
        } catch (IOException noShell) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    boolean isDumb() {
        return "dumb".equals(environment.get("TERM"));
    }

    Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }

    /** {@return the width of a line} */
    int width() {
        int columns = variable("COLUMNS").map(Terminal::number).orElse(0);
        if (columns == 0 && outIsTerminal) {
            columns = askedWidth();
        }
        return columns == 0 ? DEFAULT_WIDTH : Math.max(NARROWEST, Math.min(WIDEST, columns));
    }

    private static int number(String text) {
        return text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
    }

    /** The JDK does not know the width; {@code stty} does. */
    private static int askedWidth() {
        try {
            Process stty = new ProcessBuilder("sh", "-c", "stty size </dev/tty 2>/dev/null").start();
            stty.getOutputStream().close();
            String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            int blank = answer.indexOf(' ');
            return blank < 0 ? 0 : number(answer.substring(blank + 1));
        } catch (IOException noStty) {
            return 0;
        }
    }
}

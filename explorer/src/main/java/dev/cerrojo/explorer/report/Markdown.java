package dev.cerrojo.explorer.report;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text from files and databases, made harmless for GitHub's Markdown: nothing in it becomes markup, a link, a mention or a
 * second table cell.
 */
final class Markdown {
    private static final String SPECIAL = "\\`*[]<>{}~|$^&#!";
    private static final Pattern BEGINS_BLOCK = Pattern.compile("^([-+=](?=[\\s=-]|$)|\\d{1,9}(?=[.)](\\s|$)))");
    private static final Pattern RUN_OF_BACKTICKS = Pattern.compile("`+");
    private static final int SHORTEST_FENCE = 3;

    private Markdown() {}

    /** {@return text on one line, to be shown as it is} */
    static String text(String text) {
        String plain = Printable.of(text.strip());
        StringBuilder safe = new StringBuilder(plain.length());
        for (int i = 0; i < plain.length(); i++) {
            char c = plain.charAt(i);
            if (c == '@') {
                // GitHub would tell somebody of that name
                safe.append("@<!-- -->");
            } else if (SPECIAL.indexOf(c) >= 0 || (c == '_' && !isInsideWord(plain, i))) {
                safe.append('\\').append(c);
            } else {
                safe.append(c);
            }
        }
        return withoutBlock(safe.toString().replace("://", ":<!-- -->//").replace("www.", "www<!-- -->."));
    }

    /** Between letters an underscore emphasizes nothing. */
    private static boolean isInsideWord(String text, int at) {
        return at > 0
                && at + 1 < text.length()
                && Character.isLetterOrDigit(text.charAt(at - 1))
                && Character.isLetterOrDigit(text.charAt(at + 1));
    }

    /** What begins a line may begin a list, a quotation or the underline of a heading. */
    private static String withoutBlock(String line) {
        Matcher block = BEGINS_BLOCK.matcher(line);
        if (!block.find()) {
            return line;
        }
        return Character.isDigit(line.charAt(0))
                ? line.substring(0, block.end()) + "\\" + line.substring(block.end())
                : "\\" + line;
    }

    /** {@return code on one line, fit for a cell of a table too; blanks and line feeds become one blank} */
    static String code(String code) {
        String line = Printable.of(code.strip().replaceAll("\\s+", " "));
        if (line.isEmpty()) {
            return "";
        }
        return line.matches(".*[`|\\\\].*") ? html(line) : "`" + line + "`";
    }

    /** No fence of backticks keeps a pipe from ending a cell whatever stands before it; references of characters do. */
    private static String html(String line) {
        StringBuilder safe = new StringBuilder("<code>");
        line.codePoints().forEach(c -> {
            if (c < 128 && !Character.isLetterOrDigit(c) && c != ' ') {
                safe.append("&#").append(c).append(';');
            } else {
                safe.appendCodePoint(c);
            }
        });
        return safe.append("</code>").toString();
    }

    /** {@return a block of code, each line ended} */
    static String block(String language, String code) {
        String lines = Printable.lines(code);
        String fence = "`".repeat(longestRun(lines));
        return fence + language + "\n" + lines + "\n" + fence + "\n";
    }

    private static int longestRun(String text) {
        return RUN_OF_BACKTICKS
                .matcher(text)
                .results()
                .mapToInt(run -> run.group().length() + 1)
                .reduce(SHORTEST_FENCE, Math::max);
    }
}

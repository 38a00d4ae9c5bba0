package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.scenario.Position;
import dev.cerrojo.explorer.scenario.Problem;
import dev.cerrojo.explorer.scenario.ScenarioException;
import dev.cerrojo.explorer.spec.SpecToken.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Cuts a specification into words, by the rules of the tester ({@code src/test/isolation/README} and {@code specscanner.l} in
 * PostgreSQL's sources). A block of SQL ends at the first closing brace: there is no way to write one in it.
 */
final class SpecScanner {
    static final Set<String> KEYWORDS = Set.of("setup", "teardown", "session", "step", "permutation", "notices");

    private static final String BLANKS = " \t\r\f";

    private final String file;
    private final String text;
    private final List<SpecToken> tokens = new ArrayList<>();
    private int at;
    private int line = 1;

    private SpecScanner(String file, String text) {
        this.file = file;
        this.text = text;
    }

    /** {@return the words, the last of which is the end} */
    static List<SpecToken> scan(String file, String text) {
        SpecScanner scanner = new SpecScanner(file, text);
        while (scanner.at < text.length()) {
            scanner.next();
        }
        scanner.tokens.add(new SpecToken(Kind.END, "", scanner.line));
        return scanner.tokens;
    }

    private void next() {
        char c = text.charAt(at);
        if (c == '\n') {
            line++;
            at++;
        } else if (BLANKS.indexOf(c) >= 0) {
            at++;
        } else if (c == '#') {
            at = endOfLine();
        } else if (c == '"') {
            quotedName();
        } else if (c == '{') {
            block();
        } else if (c == ',' || c == '(' || c == ')' || c == '*') {
            add(Kind.SIGN, at + 1);
        } else if (isDigit(c)) {
            add(Kind.NUMBER, endOf(SpecScanner::isDigit));
        } else if (startsName(c)) {
            int end = endOf(SpecScanner::continuesName);
            add(KEYWORDS.contains(text.substring(at, end)) ? Kind.KEYWORD : Kind.NAME, end);
        } else {
            throw problem("the character '" + c + "' has no meaning here; a name with it must be in double quotes");
        }
    }

    private void add(Kind kind, int end) {
        tokens.add(new SpecToken(kind, text.substring(at, end), line));
        at = end;
    }

    private int endOfLine() {
        int end = text.indexOf('\n', at);
        return end < 0 ? text.length() : end;
    }

    private int endOf(CharTest continues) {
        int end = at;
        while (end < text.length() && continues.test(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private void quotedName() {
        StringBuilder name = new StringBuilder();
        for (int i = at + 1; i < text.length() && text.charAt(i) != '\n'; i++) {
            char c = text.charAt(i);
            if (c != '"') {
                name.append(c);
            } else if (i + 1 < text.length() && text.charAt(i + 1) == '"') {
                name.append(c);
                i++;
            } else {
                tokens.add(new SpecToken(Kind.NAME, name.toString(), line));
                at = i + 1;
                return;
            }
        }
        throw problem(
                "the name that begins with \"" + name + " does not end: a closing \" must stand on the same line");
    }

    private void block() {
        int close = text.indexOf('}', at);
        if (close < 0) {
            throw problem("the block of SQL that begins here does not end: a closing } is missing");
        }
        int begin = at + 1;
        while (isBlank(begin)) {
            begin++;
        }
        int end = close;
        while (end > begin && isBlank(end - 1)) {
            end--;
        }
        int first = line;
        String sql = text.substring(begin, end);
        line += (int) text.substring(at, close).chars().filter(c -> c == '\n').count();
        tokens.add(new SpecToken(Kind.SQL, sql, first));
        at = close + 1;
    }

    private boolean isBlank(int i) {
        return BLANKS.indexOf(text.charAt(i)) >= 0;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean startsName(char c) {
        return c == '_' || c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean continuesName(char c) {
        return startsName(c) || isDigit(c) || c == '$';
    }

    private ScenarioException problem(String message) {
        return new ScenarioException(List.of(new Problem(file, new Position(line, ""), message)));
    }

    @FunctionalInterface
    private interface CharTest {
        boolean test(char c);
    }
}

package dev.cerrojo.idempotency;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes a JSON text in the canonical form of RFC 8785: members sorted by the UTF-16 of their names, no white space, one way to write
 * each string and number.
 *
 * <p>That form writes numbers as ECMAScript does, which knows doubles only: two that differ could look the same. Here they are refused.
 */
final class CanonicalJson {
    private static final int DEEPEST = 500;

    private final String text;
    private int at;
    private int depth;

    private CanonicalJson(String text) {
        this.text = text;
    }

    /**
     * {@return the canonical form}
     *
     * @throws InvalidJsonException when there is none
     */
    static String of(String json) {
        CanonicalJson reader = new CanonicalJson(json);
        reader.skipSpace();
        String canonical = reader.value();
        reader.skipSpace();
        if (reader.at < json.length()) {
            throw reader.invalid("nothing may follow the value");
        }
        return canonical;
    }

    private String value() {
        return switch (peek()) {
            case '{' -> nested(this::object);
            case '[' -> nested(this::array);
            case '"' -> JsonText.quoted(string());
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        };
    }

    /** Reads an object or an array. */
    private interface Container {
        String read();
    }

    private String nested(Container container) {
        depth++;
        if (depth > DEEPEST) {
            throw invalid("values may be nested %d deep at most".formatted(DEEPEST));
        }
        at++;
        skipSpace();
        String canonical = container.read();
        at++;
        depth--;
        return canonical;
    }

    private String object() {
        Map<String, String> members = new TreeMap<>();
        while (peek() != '}') {
            int start = at;
            String name = string();
            skipSpace();
            expect(':');
            skipSpace();
            if (members.put(name, value()) != null) {
                at = start;
                throw invalid("an object has two members of one name");
            }
            next('}');
        }
        List<String> written = new ArrayList<>();
        members.forEach((name, value) -> written.add(JsonText.quoted(name) + ':' + value));
        return '{' + String.join(",", written) + '}';
    }

    private String array() {
        List<String> elements = new ArrayList<>();
        while (peek() != ']') {
            elements.add(value());
            next(']');
        }
        return '[' + String.join(",", elements) + ']';
    }

    /** Goes on to the next member or element, or to the end. */
    private void next(char end) {
        skipSpace();
        if (peek() != end) {
            expect(',');
            skipSpace();
            if (peek() == end) {
                throw invalid("something must follow a comma");
            }
        }
    }

    private String word(String word) {
        if (!text.startsWith(word, at)) {
            throw invalid("a value is expected");
        }
        at += word.length();
        return word;
    }

    private String string() {
        expect('"');
        StringBuilder read = new StringBuilder();
        int start = at;
        while (peek() != '"') {
            read.append(character());
        }
        at++;
        if (!JsonText.isUnicode(read)) {
            at = start;
            throw invalid("a string has half of a surrogate pair, which is no character");
        }
        return read.toString();
    }

    private char character() {
        char c = text.charAt(at);
        if (c < ' ') {
            throw invalid("a control character in a string must be escaped");
        }
        at++;
        return c == '\\' ? escaped() : c;
    }

    private char escaped() {
        char c = peek();
        if (c == 'u') {
            return unicode();
        }
        int which = JsonText.ESCAPES.indexOf(c);
        if (which < 0) {
            throw invalid("there is no such escape");
        }
        at++;
        return JsonText.ESCAPED.charAt(which);
    }

    private char unicode() {
        int end = at + 5;
        String digits = end <= text.length() ? text.substring(at + 1, end) : "";
        if (!digits.matches("[0-9A-Fa-f]{4}")) {
            throw invalid("\\u must be followed by four hexadecimal digits");
        }
        at = end;
        return (char) Integer.parseInt(digits, 16);
    }

    private String number() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(start, at);
        if (!JsonNumber.isNumber(number)) {
            at = start;
            throw invalid("a value is expected");
        }
        return JsonNumber.canonical(number).orElseThrow(() -> {
            at = start;
            return invalid("the number %s cannot be represented exactly: send it as a string".formatted(number));
        });
    }

    private void expect(char wanted) {
        if (peek() != wanted) {
            throw invalid("'%s' is expected".formatted(wanted));
        }
        at++;
    }

    private char peek() {
        if (at >= text.length()) {
            throw invalid("it ends too early");
        }
        return text.charAt(at);
    }

    private void skipSpace() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private InvalidJsonException invalid(String problem) {
        return new InvalidJsonException(at, problem);
    }
}

package dev.cerrojo.etcd;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Reads JSON (RFC 8259), as far as etcd's answers need it: each object is a {@code Map}, each array a {@code List}, and whatever else a
 * {@code String}: a number or {@code true} as it is written, which also spares telling etcd's two ways to write numbers apart.
 * {@code null} is the empty string, and of members with the same name the last counts.
 */
final class Json {
    /** Deeper than any answer; what is deeper would be a mistake. */
    private static final int DEEPEST = 64;

    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /** @throws IllegalArgumentException when it is no JSON */
    static Object read(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.skipSpace();
        if (json.at < text.length()) {
            throw json.unexpected("the end");
        }
        return value;
    }

    private Object value() {
        skipSpace();
        return switch (peek()) {
            case '{' -> nested(this::object);
            case '[' -> nested(this::array);
            case '"' -> string();
            default -> literal();
        };
    }

    private <T> T nested(Supplier<T> reader) {
        depth++;
        if (depth > DEEPEST) {
            throw unexpected("at most " + DEEPEST + " levels");
        }
        T value = reader.get();
        depth--;
        return value;
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        items('}', () -> {
            skipSpace();
            String name = string();
            skipSpace();
            expect(':');
            members.put(name, value());
        });
        return members;
    }

    private List<Object> array() {
        List<Object> values = new ArrayList<>();
        items(']', () -> values.add(value()));
        return values;
    }

    private void items(char end, Runnable item) {
        at++;
        skipSpace();
        if (peek() == end) {
            at++;
            return;
        }
        item.run();
        skipSpace();
        while (peek() == ',') {
            at++;
            item.run();
            skipSpace();
        }
        expect(end);
    }

    private String string() {
        expect('"');
        StringBuilder string = new StringBuilder();
        while (peek() != '"') {
            char next = text.charAt(at++);
            if (next < ' ') {
                throw unexpected("no control character");
            }
            string.append(next == '\\' ? escaped() : next);
        }
        at++;
        return string.toString();
    }

    private char escaped() {
        char kind = peek();
        at++;
        return switch (kind) {
            case '"', '\\', '/' -> kind;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw unexpected("an escape");
        };
    }

    private char unicode() {
        int end = at + 4;
        if (end > text.length() || !text.substring(at, end).matches("[0-9A-Fa-f]{4}")) {
            throw unexpected("four hexadecimal digits");
        }
        char character = (char) Integer.parseInt(text, at, end, 16);
        at = end;
        return character;
    }

    private String literal() {
        int start = at;
        while (at < text.length() && "+-.0123456789abcdefghijklmnopqrstuvwxyzE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String literal = text.substring(start, at);
        if (!literal.matches("true|false|null|-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
            throw unexpected("a value");
        }
        return literal.equals("null") ? "" : literal;
    }

    private char peek() {
        if (at >= text.length()) {
            throw unexpected("more");
        }
        return text.charAt(at);
    }

    private void expect(char expected) {
        if (peek() != expected) {
            throw unexpected(String.valueOf(expected));
        }
        at++;
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException unexpected(String expected) {
        return new IllegalArgumentException("JSON must have %s at character %d, but is: %s"
                .formatted(expected, at, text.substring(0, Math.min(text.length(), 200))));
    }
}

package dev.cerrojo.explorer.scenario;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The grammar of a run entry: {@code name(param=literal, …); name(…)}. */
final class RunEntry {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");
    private static final Pattern PARAM = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern TEXT = Pattern.compile("'([^']*+(?:''[^']*+)*+)'");
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE][+-]?\\d{1,3})?(?![\\w.])");
    private static final Pattern WORD = Pattern.compile("(?i)(true|false|null)(?!\\w)");
    private static final Pattern BLANKS = Pattern.compile("\\s*");

    private final String text;
    private int at;

    private RunEntry(String text) {
        this.text = text;
    }

    /**
     * Reads an entry.
     *
     * @return its transactions with their arguments in the order written; nothing is known about parameters yet
     * @throws IllegalArgumentException with the column when the entry is not of the grammar
     */
    static List<Call> parse(String text) {
        RunEntry entry = new RunEntry(text);
        List<Call> calls = new ArrayList<>();
        do {
            calls.add(entry.call());
        } while (entry.takes(";") && !entry.isAtEnd());
        if (!entry.isAtEnd()) {
            throw entry.unexpected("\";\" and another transaction, or the end");
        }
        return calls;
    }

    private Call call() {
        String name =
                match(NAME, "a transaction such as remove_doctor(shift=1)").group();
        expect("(", "\"(\": arguments stand in parentheses, none is " + name + "()");
        Map<String, Value> arguments = new LinkedHashMap<>();
        while (!takes(")")) {
            if (!arguments.isEmpty()) {
                expect(",", "\",\" or \")\"");
            }
            argument(arguments);
        }
        return new Call(name, arguments);
    }

    private void argument(Map<String, Value> arguments) {
        String param = match(PARAM, "a parameter such as shift=1").group();
        expect("=", "\"=\" and a literal");
        Value value = literal();
        if (arguments.put(param, value) != null) {
            throw new IllegalArgumentException("parameter " + param + " is given twice");
        }
    }

    private Value literal() {
        skipBlanks();
        if (looksAt(TEXT)) {
            String quoted = match(TEXT, "a text").group(1);
            return new Value.Text(quoted.replace("''", "'"));
        } else if (looksAt(NUMBER)) {
            return number(match(NUMBER, "a number"));
        } else if (looksAt(WORD)) {
            String word = match(WORD, "a word").group().toLowerCase(Locale.ROOT);
            return word.equals("null") ? new Value.Null() : new Value.Bool(word.equals("true"));
        }
        throw unexpected("a literal: 12, -1.5, 'text', true, false or null");
    }

    private static Value number(Matcher number) {
        boolean whole = number.group(1) == null && number.group(2) == null;
        try {
            return whole
                    ? new Value.Int(Long.parseLong(number.group()))
                    : new Value.Decimal(new BigDecimal(number.group()));
        } catch (NumberFormatException e) {
            return new Value.Decimal(new BigDecimal(number.group()));
        }
    }

    private boolean looksAt(Pattern pattern) {
        return pattern.matcher(text).region(at, text.length()).lookingAt();
    }

    private Matcher match(Pattern pattern, String expected) {
        skipBlanks();
        Matcher matcher = pattern.matcher(text).region(at, text.length());
        if (!matcher.lookingAt()) {
            throw unexpected(expected);
        }
        at = matcher.end();
        return matcher;
    }

    private boolean takes(String sign) {
        skipBlanks();
        boolean there = text.startsWith(sign, at);
        at += there ? sign.length() : 0;
        return there;
    }

    private void expect(String sign, String expected) {
        if (!takes(sign)) {
            throw unexpected(expected);
        }
    }

    private boolean isAtEnd() {
        skipBlanks();
        return at == text.length();
    }

    private void skipBlanks() {
        Matcher blanks = BLANKS.matcher(text).region(at, text.length());
        at = blanks.lookingAt() ? blanks.end() : at;
    }

    private IllegalArgumentException unexpected(String expected) {
        String found = at == text.length() ? "the end" : Field.quoted(text.substring(at));
        return new IllegalArgumentException(
                "expected " + expected + ", but found " + found + " at character " + (at + 1));
    }
}

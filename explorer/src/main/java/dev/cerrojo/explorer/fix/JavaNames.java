package dev.cerrojo.explorer.fix;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import javax.lang.model.SourceVersion;

/** Names and literals of Java, made of those of a scenario. */
final class JavaNames {
    private final Set<String> taken = new HashSet<>();

    /** {@return a class name: {@code on_call_coverage} is {@code OnCallCoverage}} */
    static String pascal(String name) {
        StringBuilder pascal = new StringBuilder();
        for (String word : name.split("[^A-Za-z0-9]+", -1)) {
            if (!word.isEmpty()) {
                pascal.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
            }
        }
        return pascal.toString();
    }

    static String constant(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
    }

    static String camel(String name) {
        String pascal = pascal(name);
        String camel = pascal.isEmpty() ? "run" : pascal.substring(0, 1).toLowerCase(Locale.ROOT) + pascal.substring(1);
        boolean usable = SourceVersion.isIdentifier(camel) && !SourceVersion.isKeyword(camel);
        return usable ? camel : camel + "_";
    }

    /** {@return the name of a method that no other has: scenarios may differ where Java's names do not} */
    String method(String name) {
        String camel = camel(name);
        camel = Character.isDigit(camel.charAt(0)) ? "run" + camel : camel;
        String free = camel;
        for (int n = 2; !taken.add(free); n++) {
            free = camel + n;
        }
        return free;
    }

    static String literal(String text) {
        StringBuilder literal = new StringBuilder("\"");
        text.chars().forEach(c -> literal.append(escaped((char) c)));
        return literal.append('"').toString();
    }

    private static String escaped(char c) {
        return switch (c) {
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> c < ' ' || c > '~' ? String.format("\\u%04x", (int) c) : String.valueOf(c);
        };
    }

    /** {@return text that ends no comment: a backslash may begin a character that does, even a line break} */
    static String comment(String text) {
        return text.replace("\\", "\\\\").replace("*/", "* /").replaceAll("\\s*[\\r\\n]\\s*", " ");
    }
}

package dev.cerrojo.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a table or column, read from SQL text as PostgreSQL reads it: without quotes in lower case, as far as it is of
 * ASCII, and of either kind as many bytes as it keeps.
 *
 * @param schema what it is qualified with, if anything
 * @param name the name itself
 */
public record SqlName(Optional<String> schema, String name) {
    private static final Pattern PART =
            Pattern.compile("\\s*(?:\"((?:[^\"\\x00]|\"\")+)\"|([\\p{L}_][\\p{L}\\p{Nd}_$]*))\\s*(\\.|$)");
    private static final Pattern ASCII_CAPITALS = Pattern.compile("[A-Z]+");
    private static final int MAX_PARTS = 2;

    /** {@return the name that the text is, with a schema or without; empty when it is anything else} */
    public static Optional<SqlName> parse(String text) {
        List<String> parts = new ArrayList<>();
        Matcher part = PART.matcher(text);
        int at = 0;
        do {
            if (!part.region(at, text.length()).lookingAt()) {
                return Optional.empty();
            }
            parts.add(part.group(1) != null ? unquoted(part.group(1)) : lower(part.group(2)));
            at = part.end();
        } while (part.group(3).equals("."));
        return at == text.length() && parts.size() <= MAX_PARTS ? Optional.of(from(parts)) : Optional.empty();
    }

    /** {@return the name that a text is which is known to be one} */
    public static SqlName of(String checked) {
        return parse(checked).orElseThrow();
    }

    private static SqlName from(List<String> parts) {
        return parts.size() == 1
                ? new SqlName(Optional.empty(), parts.get(0))
                : new SqlName(Optional.of(parts.get(0)), parts.get(1));
    }

    /** {@return the name that a word without quotes is} */
    static String lower(String word) {
        return Identifiers.kept(ASCII_CAPITALS
                .matcher(word)
                .replaceAll(capitals -> capitals.group().toLowerCase(Locale.ROOT)));
    }

    /** {@return the name that stands between quotes} */
    static String unquoted(String text) {
        return Identifiers.kept(text.replace("\"\"", "\""));
    }

    /** {@return the name as SQL text, quoted where needed} */
    public String sql() {
        return schema.map(s -> Identifiers.quote(s) + '.').orElse("") + unqualified();
    }

    /** {@return the name without its schema as SQL text} */
    public String unqualified() {
        return Identifiers.quote(name);
    }

    /** {@return the name, qualified with a schema when it is not yet} */
    public SqlName in(String defaultSchema) {
        return schema.isPresent() ? this : new SqlName(Optional.of(defaultSchema), name);
    }
}

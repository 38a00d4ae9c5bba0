package dev.cerrojo.internal;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * SQL text with places such as {@code {table}}, all filled in one pass: what is filled in is never read as a place.
 *
 * @param text the text
 */
public record Template(String text) {
    private static final Pattern PLACE = Pattern.compile("\\{([a-z]+)}");

    /**
     * {@return the text with each place filled in}
     *
     * <p>A value of several lines keeps the indentation of its place. A line with nothing but a place that is filled
     * with nothing is left out.
     */
    public String fill(Map<String, String> values) {
        String kept = text;
        for (Map.Entry<String, String> entry : values.entrySet()) {
            if (entry.getValue().isEmpty()) {
                kept = kept.replaceAll("(?m)^ *\\{" + entry.getKey() + "}\\n", "");
            }
        }
        return new Template(kept).fillAll(values);
    }

    private String fillAll(Map<String, String> values) {
        return PLACE.matcher(text)
                .replaceAll(place -> Matcher.quoteReplacement(
                        SqlText.indented(value(values, place.group(1)), indentation(place.start()))));
    }

    private static String value(Map<String, String> values, String name) {
        return Optional.ofNullable(values.get(name))
                .orElseThrow(() -> new IllegalArgumentException("no value for {" + name + "}"));
    }

    /** How far the place is indented, when nothing else comes before it in its line. */
    private int indentation(int start) {
        int line = text.lastIndexOf('\n', start) + 1;
        return text.substring(line, start).isBlank() ? start - line : 0;
    }
}

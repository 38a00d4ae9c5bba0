package dev.cerrojo.explorer.scenario;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A value in the file and the way to it. What it cannot give as asked becomes a problem, and an empty answer. */
record Field(Node node, String path, Problems problems) {
    private static final int MOST_DIGITS = 100;
    private static final Set<Tag> SCALARS = Set.of(Tag.STR, Tag.INT, Tag.FLOAT, Tag.BOOL, Tag.NULL);

    /** {@return where the value stands; of a block (|, >) its first line of text} */
    Position at() {
        boolean block = node instanceof ScalarNode scalar
                && (scalar.getScalarStyle() == ScalarStyle.LITERAL || scalar.getScalarStyle() == ScalarStyle.FOLDED);
        return new Position(line(node) + (block ? 1 : 0), path);
    }

    static int line(Node node) {
        return node.getStartMark().map(Mark::getLine).orElse(-1) + 1;
    }

    void problem(String message) {
        problems.add(at(), message);
    }

    boolean isMap() {
        return node instanceof MappingNode;
    }

    /** {@return whether the value is a text without quotes, which a blank and # would cut} */
    boolean isPlainText() {
        return node instanceof ScalarNode scalar && scalar.isPlain();
    }

    /** {@return the value as text; a problem when it is empty or something else than text} */
    Optional<String> text() {
        if (node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.STR)) {
            return filled(scalar.getValue());
        }
        String hint = isMap() ? ": text that contains \": \" must be quoted, or written as a block with |" : "";
        return isEmpty() ? filled("") : refused("must be text, but was " + what() + hint);
    }

    /** {@return the value as text, also when YAML takes it for a number or a boolean} */
    Optional<String> word() {
        boolean scalar = node instanceof ScalarNode && SCALARS.contains(node.getTag()) && !isEmpty();
        return scalar ? filled(((ScalarNode) node).getValue()) : text();
    }

    private Optional<String> filled(String value) {
        return value.isBlank() ? refused("must not be empty") : Optional.of(value);
    }

    Optional<Boolean> truth() {
        if (node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.BOOL)) {
            String word = scalar.getValue().toLowerCase(Locale.ROOT);
            if (word.equals("true") || word.equals("false")) {
                return Optional.of(word.equals("true"));
            }
        }
        return refused("must be true or false, but was " + what());
    }

    Optional<Long> wholeNumber(long least, long most) {
        Optional<Long> value = number().filter(
                        number -> number.scale() <= 0 && number.precision() - number.scale() <= 18)
                .map(BigDecimal::longValueExact)
                .filter(number -> number >= least && number <= most);
        String range = most == Long.MAX_VALUE ? "of at least " + least : "from " + least + " to " + most;
        return value.isPresent() ? value : refused("must be a whole number " + range + ", but was " + what());
    }

    Optional<BigDecimal> decimal() {
        Optional<BigDecimal> value =
                number().filter(number -> number.precision() <= MOST_DIGITS && Math.abs(number.scale()) <= MOST_DIGITS);
        return value.isPresent()
                ? value
                : refused("must be a number of at most " + MOST_DIGITS + " digits, but was " + what());
    }

    private Optional<BigDecimal> number() {
        try {
            boolean number = node.getTag().equals(Tag.INT) || node.getTag().equals(Tag.FLOAT);
            return number && node instanceof ScalarNode scalar
                    ? Optional.of(new BigDecimal(scalar.getValue()))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** {@return the entries of the list; a problem when the value is no list} */
    List<Field> items() {
        if (!(node instanceof SequenceNode list)) {
            problem("must be a list, but was " + what());
            return List.of();
        }
        List<Field> items = new ArrayList<>();
        for (Node item : list.getValue()) {
            items.add(new Field(item, path + "[" + items.size() + "]", problems));
        }
        return items;
    }

    /** {@return the entries of a list that must not be empty} */
    List<Field> someItems() {
        if (isEmpty() || (node instanceof SequenceNode list && list.getValue().isEmpty())) {
            problem("must not be empty");
            return List.of();
        }
        return items();
    }

    /** {@return the value as a map with names of the user's as keys} */
    Optional<Keys> named() {
        return node instanceof MappingNode map
                ? Optional.of(Keys.of(map, this))
                : refused("must be a map, but was " + what());
    }

    /** {@return the value as a map; every other key than these is a problem} */
    Optional<Keys> keys(List<String> allowed) {
        Optional<Keys> keys = named();
        keys.ifPresent(found -> found.refuseOthersThan(allowed));
        return keys;
    }

    boolean isEmpty() {
        return node.getTag().equals(Tag.NULL);
    }

    /** {@return the value in words, for messages} */
    String what() {
        if (!(node instanceof ScalarNode scalar)) {
            return isMap() ? "a map" : "a list";
        } else if (isEmpty()) {
            return "empty";
        } else if (!SCALARS.contains(scalar.getTag())) {
            return "of type " + scalar.getTag().getValue();
        }
        return quoted(scalar.getValue());
    }

    /** {@return a text as messages show it: in quotes, on one line, not too long} */
    static String quoted(String text) {
        String line = text.strip().replaceAll("\\s+", " ");
        return "\"" + (line.length() > 80 ? line.substring(0, 77) + "..." : line) + "\"";
    }

    private <T> Optional<T> refused(String message) {
        problem(message);
        return Optional.empty();
    }
}

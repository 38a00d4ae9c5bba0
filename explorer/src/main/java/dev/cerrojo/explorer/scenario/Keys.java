package dev.cerrojo.explorer.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** A map of the file: its keys in order, each once. */
final class Keys {
    private final Field map;
    private final Map<String, Field> values = new LinkedHashMap<>();
    private final Map<String, Integer> lines = new LinkedHashMap<>();

    private Keys(Field map) {
        this.map = map;
    }

    static Keys of(MappingNode node, Field map) {
        Keys keys = new Keys(map);
        node.getValue().forEach(keys::add);
        return keys;
    }

    private void add(NodeTuple entry) {
        Node key = entry.getKeyNode();
        int line = Field.line(key);
        if (!(key instanceof ScalarNode scalar)) {
            map.problems().add(new Position(line, map.path()), "a key must be a word, but was a list or a map");
            return;
        }
        String name = scalar.getValue();
        Field value = new Field(entry.getValueNode(), path(name), map.problems());
        if (values.putIfAbsent(name, value) == null) {
            lines.put(name, line);
        } else {
            String message = "duplicate key " + Field.quoted(name) + ": it is at line " + lines.get(name) + " already";
            map.problems().add(new Position(line, path(name)), message);
        }
    }

    private String path(String key) {
        return map.path().isEmpty() ? key : map.path() + "." + key;
    }

    void refuseOthersThan(List<String> allowed) {
        refuseOthersThan(allowed, allowed);
    }

    /** Reports keys that are not known, with the allowed ones as hint: known keys may be refused elsewhere. */
    void refuseOthersThan(List<String> allowed, List<String> known) {
        List<String> others = new ArrayList<>(values.keySet());
        others.removeAll(known);
        for (String other : others) {
            refuse(other, "unknown key " + Field.quoted(other) + Nearest.hint(other, allowed));
        }
    }

    /** Reports a problem with a key itself. */
    void refuse(String key, String message) {
        map.problems().add(new Position(lines.getOrDefault(key, 0), path(key)), message);
    }

    /** Reports what this map lacks. */
    void problem(String message) {
        map.problem(message);
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    List<String> names() {
        return List.copyOf(values.keySet());
    }

    Optional<Field> find(String key) {
        return Optional.ofNullable(values.get(key));
    }

    /** {@return the value of a key that must be there} */
    Optional<Field> need(String key, String what) {
        if (!has(key)) {
            problem("\"" + key + "\" is missing: " + what);
        }
        return find(key);
    }

    /** {@return those of some keys that are there} */
    List<String> among(List<String> keys) {
        return keys.stream().filter(this::has).toList();
    }

    Position at() {
        return map.at();
    }
}

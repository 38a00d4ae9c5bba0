package dev.cerrojo.etcd;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * An object of an answer. What etcd leaves out, because it is zero, false or empty, is that here.
 *
 * @param members as {@link Json} reads them
 */
record Answer(Map<?, ?> members) {
    /** @throws IllegalArgumentException when it is not an object in JSON */
    static Answer read(String text) {
        return of(Json.read(text));
    }

    private static Answer of(Object value) {
        if (value instanceof Map<?, ?> members) {
            return new Answer(members);
        }
        throw new IllegalArgumentException("etcd must answer with an object, but answered " + value);
    }

    private static Object orEmpty(Map<?, ?> members, String name, Object empty) {
        Object value = members.get(name);
        return value == null ? empty : value;
    }

    Answer object(String name) {
        return of(orEmpty(members, name, Map.of()));
    }

    List<Answer> objects(String name) {
        return ((List<?>) orEmpty(members, name, List.of()))
                .stream().map(Answer::of).toList();
    }

    String text(String name) {
        return orEmpty(members, name, "").toString();
    }

    /** {@return bytes that are text} */
    String bytes(String name) {
        return new String(Base64.getDecoder().decode(text(name)), StandardCharsets.UTF_8);
    }

    long number(String name) {
        return Long.parseLong(orEmpty(members, name, "0").toString());
    }

    boolean truth(String name) {
        return Boolean.parseBoolean(text(name));
    }

    boolean has(String name) {
        return members.containsKey(name);
    }
}

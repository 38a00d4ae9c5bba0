package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.schedule.Footprint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The names of the relations that a setup made, so that those of one run can be told to be those of another. */
final class Relations {
    /** Whoever touches what stores a table's long values holds a lock on the table too. */
    private static final String NAMES = """
            SELECT oid, CASE WHEN relnamespace = 'pg_toast'::regnamespace THEN '' ELSE oid::regclass::text END
              FROM pg_class
             WHERE oid >= 16384""";

    /** PostgreSQL: Object Identifier Types; system relations have fixed numbers below. */
    private static final long FIRST_NORMAL = 16384;

    private final Map<String, String> names = new HashMap<>();

    private Relations() {}

    static Relations of(SpecConnection connection) {
        Relations relations = new Relations();
        for (List<@Nullable String> row : connection.run(NAMES).results().get(0).rows()) {
            relations.names.put(Objects.requireNonNull(row.get(0)), Objects.requireNonNull(row.get(1)));
        }
        return relations;
    }

    /** {@return the same footprints by names; whoever touched what a session made may have touched anything} */
    Map<Integer, Footprint> named(Map<Integer, Footprint> footprints) {
        Map<Integer, Footprint> named = new HashMap<>();
        footprints.forEach((backend, footprint) -> named.put(backend, named(footprint)));
        return named;
    }

    private Footprint named(Footprint footprint) {
        boolean known = isKnown(footprint.reads()) && isKnown(footprint.writes()) && isKnown(footprint.exclusive());
        return new Footprint(
                named(footprint.reads()),
                named(footprint.writes()),
                named(footprint.exclusive()),
                footprint.everything() || !known);
    }

    private boolean isKnown(Set<String> keys) {
        return keys.stream().allMatch(key -> !isNumberOfUser(key) || names.containsKey(key));
    }

    private static boolean isNumberOfUser(String key) {
        return Character.isDigit(key.charAt(0)) && Long.parseLong(key) >= FIRST_NORMAL;
    }

    private Set<String> named(Set<String> keys) {
        return keys.stream()
                .filter(key -> !isNumberOfUser(key) || names.containsKey(key))
                .map(key -> names.getOrDefault(key, key))
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
    }
}

package dev.cerrojo.ownership;

import dev.cerrojo.Actor;
import java.util.Collections;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an actor writes to a row.
 *
 * <pre>{@code
 * Write save = Write.by(Actor.EDITOR).atVersion(3).set("title", "New title").merge("tags", tagsAsRead, tags);
 * }</pre>
 *
 * <p>Immutable: each method makes another one.
 */
@SuppressWarnings("exports") // users need no JSpecify
public final class Write {
    /** A value, and what had been read where it was said. */
    record Value(
            boolean hasBase,
            @Nullable Object base,
            @Nullable Object proposed) {}

    private final Actor actor;
    private final Optional<Long> version;
    private final boolean anyVersion;
    private final SortedMap<String, Value> values;

    private Write(Actor actor, Optional<Long> version, boolean anyVersion, SortedMap<String, Value> values) {
        this.actor = Objects.requireNonNull(actor);
        this.version = version;
        this.anyVersion = anyVersion;
        this.values = Collections.unmodifiableSortedMap(values);
    }

    /** {@return a write of nothing yet} */
    public static Write by(Actor actor) {
        return new Write(actor, Optional.empty(), false, new TreeMap<>());
    }

    /** {@return this for a row that must be at a version still, as it was read} */
    public Write atVersion(long expected) {
        return new Write(actor, Optional.of(expected), false, values);
    }

    /** {@return this for whatever version the row is at: what was made of an older one overwrites what was made of a newer one} */
    public Write atAnyVersion() {
        return new Write(actor, Optional.empty(), true, values);
    }

    /** {@return this with a value of a field} */
    public Write set(String field, @Nullable Object value) {
        return with(field, new Value(false, null, value));
    }

    /**
     * {@return this with a value of a shared field, to be merged}
     *
     * @param base what the writer had read of it
     * @param proposed what the writer wants
     */
    public Write merge(String field, @Nullable Object base, @Nullable Object proposed) {
        return with(field, new Value(true, base, proposed));
    }

    private Write with(String field, Value value) {
        SortedMap<String, Value> more = new TreeMap<>(values);
        more.put(field, value);
        return new Write(actor, version, anyVersion, more);
    }

    Actor actor() {
        return actor;
    }

    Optional<Long> version() {
        return version;
    }

    boolean anyVersion() {
        return anyVersion;
    }

    /** In one order, so that one write is one statement text. */
    SortedMap<String, Value> values() {
        return values;
    }
}

package dev.cerrojo.spring;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.SerializationPoint;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The invariants that an application has declared as beans, each with its serialization point. Immutable. */
public final class SerializationPoints {
    private final Map<String, SerializationPoint> byName = new TreeMap<>();

    /**
     * Takes them by the names of their invariants.
     *
     * @param points how invariants are guarded
     * @param invariants those that no point is of are guarded by {@code touch}
     * @throws IllegalArgumentException when two have the same name
     */
    public SerializationPoints(Collection<SerializationPoint> points, Collection<Invariant> invariants) {
        points.forEach(this::add);
        invariants.stream()
                .filter(invariant -> !isGuarded(invariant))
                .forEach(invariant -> add(SerializationPoint.touch(invariant)));
    }

    private boolean isGuarded(Invariant invariant) {
        return find(invariant.name())
                .filter(point -> point.invariant().equals(invariant))
                .isPresent();
    }

    private void add(SerializationPoint point) {
        String name = point.invariant().name();
        if (byName.put(name, point) != null) {
            throw new IllegalArgumentException(
                    "two beans declare the invariant %s, and all transactions must guard it by the same serialization point: keep one of them"
                            .formatted(name));
        }
    }

    /** {@return all of them, by name} */
    public List<SerializationPoint> all() {
        return List.copyOf(byName.values());
    }

    /** {@return the point of an invariant; empty when there is none of that name} */
    public Optional<SerializationPoint> find(String invariant) {
        return Optional.ofNullable(byName.get(invariant));
    }

    /** {@return the names, in order} */
    public Collection<String> names() {
        return byName.keySet();
    }
}

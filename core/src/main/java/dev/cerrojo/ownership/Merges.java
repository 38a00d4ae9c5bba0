package dev.cerrojo.ownership;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values of merges that have a name. */
final class Merges {
    private Merges() {}

    static @Nullable Object first(@Nullable Object base, @Nullable Object present, @Nullable Object proposed) {
        return present == null ? proposed : present;
    }

    static @Nullable Object last(@Nullable Object base, @Nullable Object present, @Nullable Object proposed) {
        return proposed;
    }

    static @Nullable Object greater(@Nullable Object base, @Nullable Object present, @Nullable Object proposed) {
        if (present == null || proposed == null) {
            return present == null ? proposed : present;
        }
        return compare(present, proposed) >= 0 ? present : proposed;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // a value that does not compare is told by the exception
    private static int compare(Object present, Object proposed) {
        if (present instanceof Number one && proposed instanceof Number other) {
            return isFloating(one) || isFloating(other)
                    ? Double.compare(one.doubleValue(), other.doubleValue())
                    : decimal(one).compareTo(decimal(other));
        }
        if (present instanceof Comparable comparable && present.getClass() == proposed.getClass()) {
            return comparable.compareTo(proposed);
        }
        throw new IllegalArgumentException("the greater of two values is asked, but %s and %s do not compare: give %s"
                .formatted(
                        present.getClass().getSimpleName(),
                        proposed.getClass().getSimpleName(),
                        "a value of the type that is read"));
    }

    static Object union(@Nullable Object base, @Nullable Object present, @Nullable Object proposed) {
        Set<@Nullable Object> before = set(base);
        Set<@Nullable Object> wanted = set(proposed);
        Set<@Nullable Object> merged = set(present);
        Set<@Nullable Object> removed = new LinkedHashSet<>(before);
        removed.removeAll(wanted);
        Set<@Nullable Object> added = new LinkedHashSet<>(wanted);
        added.removeAll(before);
        merged.removeAll(removed);
        merged.addAll(added);
        return new ArrayList<>(merged);
    }

    private static Set<@Nullable Object> set(@Nullable Object value) {
        if (value == null) {
            return new LinkedHashSet<>();
        }
        Set<@Nullable Object> elements = new LinkedHashSet<>();
        (value instanceof Object[] array ? Arrays.asList(array) : collection(value))
                .forEach(element -> elements.add(comparable(element)));
        return elements;
    }

    /** A whole number is equal to the same one of another type. */
    private static @Nullable Object comparable(@Nullable Object element) {
        return element instanceof Integer || element instanceof Short || element instanceof Byte
                ? (Object) ((Number) element).longValue()
                : element;
    }

    private static Collection<?> collection(Object value) {
        if (value instanceof Collection<?> several) {
            return several;
        }
        throw new IllegalArgumentException(
                "a union is of sets: give a collection or an array, for a column that is an array; but one is a "
                        + value.getClass().getSimpleName());
    }

    static Object delta(@Nullable Object base, @Nullable Object present, @Nullable Object proposed) {
        List<Object> values = List.of(number(base), number(present), number(proposed));
        if (values.stream().anyMatch(Merges::isFloating)) {
            return ((Number) values.get(1)).doubleValue()
                    + ((Number) values.get(2)).doubleValue()
                    - ((Number) values.get(0)).doubleValue();
        }
        return decimal(values.get(1)).add(decimal(values.get(2))).subtract(decimal(values.get(0)));
    }

    private static Object number(@Nullable Object value) {
        Object number = Objects.requireNonNullElse(value, 0);
        if (!(number instanceof Number)) {
            throw new IllegalArgumentException("a delta is of numbers, but one value is a "
                    + number.getClass().getSimpleName());
        }
        return number;
    }

    private static boolean isFloating(Object number) {
        return number instanceof Double || number instanceof Float;
    }

    private static BigDecimal decimal(Object number) {
        return number instanceof BigDecimal decimal ? decimal : new BigDecimal(number.toString());
    }
}

package dev.cerrojo.lease;

import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;

/**
 * What a lease is about: an entity, or one group of its fields.
 *
 * <p>Leases of the same entity exclude each other, and so do leases of the same group. Leases of different groups run in parallel,
 * and the whole entity excludes all of its groups. Different entities have nothing to do with each other.
 *
 * <pre>{@code
 * LeaseScope whole = LeaseScope.of("article/42");
 * LeaseScope seo = LeaseScope.of("article/42", "seo");
 * }</pre>
 *
 * @param entity its name, 1 to 500 characters without control characters; compared as it is
 * @param group the name of the group, 1 to 100 characters without control characters; empty for the whole entity
 */
public record LeaseScope(String entity, Optional<String> group) {
    /** By entity, the whole of it before its groups. */
    static final Comparator<LeaseScope> ORDER = Comparator.comparing(LeaseScope::entity)
            .thenComparing(scope -> scope.group().orElse(""));

    static final int LONGEST_ENTITY = 500;
    static final int LONGEST_GROUP = 100;

    /** Checks the names. */
    public LeaseScope {
        requireName("entity", entity, LONGEST_ENTITY);
        group.ifPresent(name -> requireName("group", name, LONGEST_GROUP));
    }

    /** {@return the whole entity} */
    public static LeaseScope of(String entity) {
        return new LeaseScope(entity, Optional.empty());
    }

    /** {@return one group of fields of an entity} */
    public static LeaseScope of(String entity, String group) {
        return new LeaseScope(entity, Optional.of(group));
    }

    static void requireName(String what, String name, int longest) {
        Objects.requireNonNull(name);
        if (name.isEmpty() || name.length() > longest || hasControl(name)) {
            throw new IllegalArgumentException(
                    "%s of a lease must be a name of 1 to %d characters without control characters, but was \"%s\""
                            .formatted(what, longest, name));
        }
    }

    private static boolean hasControl(String name) {
        boolean hasControl = false;
        for (int i = 0; !hasControl && i < name.length(); i++) {
            hasControl = Character.isISOControl(name.charAt(i));
        }
        return hasControl;
    }

    /** {@return the names as messages show them: {@code article/42 [seo]}} */
    @Override
    public String toString() {
        return entity + group.map(name -> " [" + name + "]").orElse("");
    }
}

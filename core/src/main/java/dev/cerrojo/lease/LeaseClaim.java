package dev.cerrojo.lease;

import java.util.List;

/**
 * What one acquisition asks a store for, and by which it is renewed and released: all that it wants of one entity.
 *
 * @param entity the entity's name
 * @param groups the groups of fields, sorted, each once; empty for the whole entity
 * @param owner who asks: 32 hexadecimal digits (128 bits), random, made for this acquisition alone
 */
public record LeaseClaim(String entity, List<String> groups, String owner) {
    private static final int OWNER_DIGITS = 32;

    /** Sorts the groups, and checks all. */
    public LeaseClaim {
        LeaseScope.requireName("entity", entity, LeaseScope.LONGEST_ENTITY);
        groups = groups.size() < 2
                ? List.copyOf(groups)
                : groups.stream().sorted().distinct().toList();
        groups.forEach(group -> LeaseScope.requireName("group", group, LeaseScope.LONGEST_GROUP));
        if (!isOwner(owner)) {
            throw new IllegalArgumentException(
                    "owner of a lease must be 32 hexadecimal digits in lower case, but was \"%s\"".formatted(owner));
        }
    }

    private static boolean isOwner(String owner) {
        boolean isOwner = owner.length() == OWNER_DIGITS;
        for (int i = 0; isOwner && i < OWNER_DIGITS; i++) {
            char digit = owner.charAt(i);
            isOwner = (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
        }
        return isOwner;
    }

    /** {@return whether it is of the whole entity, not of groups} */
    public boolean isWhole() {
        return groups.isEmpty();
    }

    /** {@return whether both cannot be held at once: same entity, and the same group or one of them whole; whoever asks} */
    public boolean excludes(LeaseClaim other) {
        return entity.equals(other.entity)
                && (isWhole() || other.isWhole() || groups.stream().anyMatch(other.groups::contains));
    }
}

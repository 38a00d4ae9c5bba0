package dev.cerrojo.etcd;

import dev.cerrojo.lease.LeaseClaim;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where the leases of an entity are: one key for the whole entity, one for each group. Names have no control characters, so the one
 * between ends the entity's name.
 *
 * @param prefix what all keys of the entity begin with
 */
record EntityKeys(String prefix) {
    static EntityKeys of(String prefix, String entity) {
        return new EntityKeys(prefix + entity + "\0");
    }

    private String whole() {
        return prefix + "w";
    }

    private String group(String name) {
        return prefix + "g" + name;
    }

    KeyRange all() {
        return KeyRange.startingWith(prefix);
    }

    /** {@return the keys that a claim puts} */
    List<String> of(LeaseClaim claim) {
        return claim.isWhole()
                ? List.of(whole())
                : claim.groups().stream().map(this::group).toList();
    }

    /** {@return whether who holds a key keeps a claim out} */
    boolean excludes(LeaseClaim claim, String key) {
        return claim.isWhole() || key.equals(whole()) || of(claim).contains(key);
    }

    /** {@return where nobody else may have anything, for a claim to be granted} */
    List<KeyRange> excluding(LeaseClaim claim) {
        if (claim.isWhole()) {
            return List.of(all());
        }
        return Stream.concat(Stream.of(whole()), of(claim).stream())
                .map(KeyRange::one)
                .toList();
    }
}

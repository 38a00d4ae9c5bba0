package dev.cerrojo.etcd;

import dev.cerrojo.lease.LeaseClaim;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is held of an entity.
 *
 * @param keys where
 * @param revision etcd's, when it was read
 * @param all each key
 */
record Holds(EntityKeys keys, long revision, List<Hold> all) {
    static Holds of(EntityKeys keys, Answer range) {
        return new Holds(
                keys,
                range.object("header").number("revision"),
                range.objects("kvs").stream().map(Hold::of).toList());
    }

    /** {@return what keeps a claim out, if anything does} */
    Optional<Hold> inTheWayOf(LeaseClaim claim) {
        return all.stream()
                .filter(hold -> !hold.owner().equals(claim.owner()) && keys.excludes(claim, hold.key()))
                .findFirst();
    }

    /** {@return the etcd lease of a claim, if all of it is held} */
    Optional<Long> leaseOf(LeaseClaim claim) {
        List<String> wanted = keys.of(claim);
        List<Hold> own =
                ownedBy(claim).filter(hold -> wanted.contains(hold.key())).toList();
        return own.size() == wanted.size() ? Optional.of(own.get(0).lease()) : Optional.empty();
    }

    /** {@return the etcd leases of whatever a claim has; more than one after an answer was lost} */
    List<Long> leasesOf(LeaseClaim claim) {
        return ownedBy(claim).map(Hold::lease).distinct().toList();
    }

    private Stream<Hold> ownedBy(LeaseClaim claim) {
        return all.stream().filter(hold -> hold.owner().equals(claim.owner()));
    }
}

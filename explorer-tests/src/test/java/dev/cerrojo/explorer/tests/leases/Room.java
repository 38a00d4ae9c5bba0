package dev.cerrojo.explorer.tests.leases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.lease.LeaseClaim;
import java.util.ArrayList;
import java.util.List;

/** Who holds what, as the holders see it; and whether two ever held what excludes each other. */
final class Room {
    private final List<LeaseClaim> inside = new ArrayList<>();
    private final List<LeaseClaim> entered = new ArrayList<>();
    private final List<String> clashes = new ArrayList<>();

    synchronized void clear() {
        inside.clear();
        entered.clear();
        clashes.clear();
    }

    synchronized void enter(LeaseClaim claim) {
        inside.stream()
                .filter(other -> !other.owner().equals(claim.owner()) && other.excludes(claim))
                .forEach(other -> clashes.add(claim + " while " + other));
        inside.add(claim);
        entered.add(claim);
    }

    synchronized void leave(LeaseClaim claim) {
        inside.removeIf(claim::equals);
    }

    /** All at once: their time is over. */
    synchronized void leaveAll() {
        inside.clear();
    }

    synchronized void nobodyClashed() {
        assertThat(clashes).isEmpty();
    }

    synchronized List<LeaseClaim> entered() {
        return List.copyOf(entered);
    }
}

package dev.cerrojo.explorer.scenario;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.ownership.Ownership;
import java.util.List;

/**
 * A file of invariants and ownerships without transactions and runs, or those of a scenario, read and checked.
 *
 * @param file how the file was named, for messages
 * @param title its title; the file's name when it has none
 * @param setup the SQL of its tables; may be empty
 * @param setupAt where the setup stands
 * @param invariants its invariants in the file's order; at least one where it has nothing else
 * @param ownerships whose the fields of its tables are, in the file's order
 */
public record Contract(
        String file,
        String title,
        String setup,
        Position setupAt,
        List<Invariant> invariants,
        List<Ownership> ownerships) {
    /** Copies the lists. */
    public Contract {
        ownerships = List.copyOf(ownerships);
        invariants = List.copyOf(invariants);
    }
}

package dev.cerrojo.explorer.scenario;

import dev.cerrojo.invariant.Invariant;
import java.util.List;

/**
 * A file of invariants without transactions and runs, or the invariants of a scenario, read and checked.
 *
 * @param file how the file was named, for messages
 * @param title its title; the file's name when it has none
 * @param setup the SQL of its tables; may be empty
 * @param setupAt where the setup stands
 * @param invariants its invariants in the file's order, at least one
 */
public record Contract(String file, String title, String setup, Position setupAt, List<Invariant> invariants) {
    /** Copies the invariants. */
    public Contract {
        invariants = List.copyOf(invariants);
    }
}

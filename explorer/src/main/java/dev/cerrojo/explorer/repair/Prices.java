package dev.cerrojo.explorer.repair;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * What repairs cost, all measured in one run on one server, with durable commits. {@code docs/design/prices.md} says what the
 * numbers mean.
 *
 * @param server on which server, for people: {@code the embedded server (PostgreSQL 17.11)}
 * @param clients how many clients ran at once
 * @param scopes how many scopes they were spread over for {@link Price#spread}; empty when the file cannot be multiplied
 * @param rounds how many rounds of each there were, a round of one after a round of the other
 * @param measured how long measuring took
 * @param unguarded the file's own transactions, as they stand
 * @param candidates the candidates that hold at the file's level, in the order of the table
 * @param notes what was not measured, and why, a clause each
 */
public record Prices(
        String server,
        int clients,
        OptionalInt scopes,
        int rounds,
        Duration measured,
        Price unguarded,
        List<Price> candidates,
        List<String> notes) {
    /** Copies the lists. */
    public Prices {
        candidates = List.copyOf(candidates);
        notes = List.copyOf(notes);
    }

    /** {@return the unguarded transactions' price, and then the candidates'} */
    public Stream<Price> all() {
        return Stream.concat(Stream.of(unguarded), candidates.stream());
    }

    /** {@return the price of a candidate; empty when it was not measured} */
    public Optional<Price> of(Candidate candidate) {
        return candidates.stream()
                .filter(price -> price.name().equals(candidate.id()))
                .findFirst();
    }
}

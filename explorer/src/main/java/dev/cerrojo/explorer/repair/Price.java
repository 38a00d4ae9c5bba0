package dev.cerrojo.explorer.repair;

import java.util.Optional;

/**
 * What one of the contenders costs.
 *
 * @param name the candidate's id; {@code unguarded} for the file's own transactions
 * @param isolation the level that it ran at, as SQL writes it; several are listed
 * @param extraRoundTrips how many times more a call goes to the server and back than unguarded, counted; of several calls the
 *     most; below 0 when it goes less often
 * @param walBytes how much write-ahead log a call writes when nobody else runs, on average over the file's calls
 * @param hot all clients call in one scope at the same moment, again and again
 * @param spread every call is in a scope that nobody else is in; empty when the file cannot be multiplied
 */
public record Price(
        String name, String isolation, int extraRoundTrips, long walBytes, Load hot, Optional<Load> spread) {}

package dev.cerrojo.explorer.scenario;

import java.util.Optional;

/**
 * A candidate of the user's own, from {@code repairs:}.
 *
 * @param name its name, unique in the file
 * @param expect what must be found, if declared
 * @param repaired the scenario with the repair applied: transactions, runs, setup and invariants changed as it says;
 *     its own {@code repairs} and {@code expect} are empty
 */
public record Repair(String name, Optional<Expectation> expect, Scenario repaired, Position at) {}

package dev.cerrojo.explorer.spec;

/**
 * A step of a session: what is scheduled as a whole.
 *
 * @param name its name, unique in the file
 * @param block its SQL
 */
public record SpecStep(String name, SqlBlock block) {}

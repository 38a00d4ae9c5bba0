package dev.cerrojo.explorer.serial;

/**
 * Where a run and a serial order end differently.
 *
 * @param place a table, or where a session read
 * @param here the rows that only the run has, as text; empty when it has none
 * @param there the rows that only the serial order has
 */
public record Difference(String place, String here, String there) {}

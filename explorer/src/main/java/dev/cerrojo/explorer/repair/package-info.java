/**
 * Repairing a scenario: {@link dev.cerrojo.explorer.repair.Repairer} tries every candidate and recommends one.
 */
@NullMarked
package dev.cerrojo.explorer.repair;

import org.jspecify.annotations.NullMarked;

/**
 * The oracle that needs no invariant: {@link dev.cerrojo.explorer.serial.SerialOracle} tells whether what a schedule ended
 * with is what some serial order of the same sessions would have ended with.
 */
@NullMarked
package dev.cerrojo.explorer.serial;

import org.jspecify.annotations.NullMarked;

/**
 * Runs many operations of a scenario at once, freely, with conflicts and failures injected, and counts what comes of them:
 * {@link dev.cerrojo.explorer.stress.StressTest}.
 */
@NullMarked
package dev.cerrojo.explorer.stress;

import org.jspecify.annotations.NullMarked;

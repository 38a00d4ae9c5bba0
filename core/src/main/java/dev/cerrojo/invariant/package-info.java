/** Invariants: {@link dev.cerrojo.invariant.Invariant} is a condition on committed data, per scope. */
@NullMarked
package dev.cerrojo.invariant;

import org.jspecify.annotations.NullMarked;

/** Invariants that the database itself enforces: {@link dev.cerrojo.guard.Guard} is their SQL. */
@NullMarked
package dev.cerrojo.guard;

import org.jspecify.annotations.NullMarked;

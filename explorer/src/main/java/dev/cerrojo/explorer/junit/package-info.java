/**
 * Races as JUnit tests, of JUnit 5 (from 5.10) and 6: {@link dev.cerrojo.explorer.junit.InterleavingTest} marks one. JUnit is
 * an optional dependency; nothing outside of this package needs it.
 */
@NullMarked
package dev.cerrojo.explorer.junit;

import org.jspecify.annotations.NullMarked;

/** Checking a scenario: {@link dev.cerrojo.explorer.check.Checker} explores all its runs and gives the verdict. */
@NullMarked
package dev.cerrojo.explorer.check;

import org.jspecify.annotations.NullMarked;

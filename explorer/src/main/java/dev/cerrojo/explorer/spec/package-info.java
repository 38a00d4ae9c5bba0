/**
 * Specifications of PostgreSQL's own isolation tester: {@link dev.cerrojo.explorer.spec.SpecReader} reads them, {@link
 * dev.cerrojo.explorer.spec.SpecChecker} explores them, {@link dev.cerrojo.explorer.spec.ListedRun} runs their permutations as
 * the tester does.
 */
@NullMarked
package dev.cerrojo.explorer.spec;

import org.jspecify.annotations.NullMarked;

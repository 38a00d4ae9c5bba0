/**
 * Measures contenders side by side: {@link dev.cerrojo.explorer.measure.Comparison} runs them in short rounds by turns.
 */
@NullMarked
package dev.cerrojo.explorer.measure;

import org.jspecify.annotations.NullMarked;

/** Versions of what editors save, and a log of what the system writes: {@link dev.cerrojo.version.Versions}. */
@NullMarked
package dev.cerrojo.version;

import org.jspecify.annotations.NullMarked;

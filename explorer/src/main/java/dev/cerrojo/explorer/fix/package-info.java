/** Writes a repair out as files, proves them, and puts them into a folder: {@link dev.cerrojo.explorer.fix.FixWriter}. */
@NullMarked
package dev.cerrojo.explorer.fix;

import org.jspecify.annotations.NullMarked;

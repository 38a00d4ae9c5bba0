/** Cerrojo: {@link dev.cerrojo.CerrojoException} is the root of what it throws. */
@NullMarked
package dev.cerrojo;

import org.jspecify.annotations.NullMarked;

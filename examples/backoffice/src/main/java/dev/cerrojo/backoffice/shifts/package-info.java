/** Doctors on call, and what takes them off a shift. */
@NullMarked
package dev.cerrojo.backoffice.shifts;

import org.jspecify.annotations.NullMarked;

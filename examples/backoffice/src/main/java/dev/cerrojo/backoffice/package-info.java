/** The backoffice: an example service that uses all of Cerrojo. */
@NullMarked
package dev.cerrojo.backoffice;

import org.jspecify.annotations.NullMarked;

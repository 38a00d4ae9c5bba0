/** Orders, and the charges for them. */
@NullMarked
package dev.cerrojo.backoffice.orders;

import org.jspecify.annotations.NullMarked;

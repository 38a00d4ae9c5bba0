/** Users of the platform itself, of whom somebody can always create others. */
@NullMarked
package dev.cerrojo.backoffice.platform;

import org.jspecify.annotations.NullMarked;
